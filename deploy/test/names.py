"""A name server on 127.0.42.1 that knows the names of its arguments, all of them as 127.0.0.1; it serves until it is killed."""

import socket
import struct
import sys

A = 1
FOUND, NO_SUCH_NAME = 0x8580, 0x8583


def question(packet):
    """The name asked for, its type, and the question as it stands in the packet."""
    labels, at = [], 12
    while packet[at]:
        labels.append(packet[at + 1 : at + 1 + packet[at]].decode())
        at += 1 + packet[at]
    return ".".join(labels), struct.unpack("!H", packet[at + 1 : at + 3])[0], packet[12 : at + 5]


def answer(packet, names):
    name, kind, asked = question(packet)
    known = name in names
    records = b"\xc0\x0c" + struct.pack("!HHIH4B", A, 1, 5, 4, 127, 0, 0, 1) if known and kind == A else b""
    header = struct.pack("!HHHHH", FOUND if known else NO_SUCH_NAME, 1, bool(records), 0, 0)
    return packet[:2] + header + asked + records


with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
    server.bind(("127.0.42.1", 53))
    while True:
        packet, client = server.recvfrom(512)
        server.sendto(answer(packet, sys.argv[1:]), client)
