{{/* Names and labels that every mode shares. */}}

{{- define "sudokud.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}
{{- end }}

{{/* 52, since a StatefulSet's pods carry its name with 11 characters more as a label. */}}
{{- define "sudokud.fullname" -}}
{{- $name := include "sudokud.name" . }}
{{- $full := .Values.fullnameOverride | default (contains $name .Release.Name | ternary .Release.Name (printf "%s-%s" .Release.Name $name)) }}
{{- $full | trunc 52 | trimSuffix "-" }}
{{- end }}

{{- define "sudokud.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{ include "sudokud.instance" . }}
{{- end }}

{{- define "sudokud.instance" -}}
app.kubernetes.io/name: {{ include "sudokud.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{/* What selects the pods that serve, in whichever mode. */}}
{{- define "sudokud.server.selector" -}}
{{ include "sudokud.instance" . }}
app.kubernetes.io/component: server
{{- end }}

{{- define "sudokud.image" -}}
{{- with .Values.image -}}
{{ .repository }}{{ if .digest }}@{{ .digest }}{{ else }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}
{{- end }}
{{- end }}

{{- define "sudokud.podSecurity" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
fsGroup: 65532
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "sudokud.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{/* http or https, as clients of this release say it. */}}
{{- define "sudokud.scheme" -}}
{{- if .Values.tls.secretName }}https{{ else }}http{{ end }}
{{- end }}

{{/* Not empty where a client without a certificate of its own gets no connection. */}}
{{- define "sudokud.certificateNeeded" -}}
{{- $usual := .Values.tokens.secretName | empty | ternary "required" "optional" }}
{{- if and .Values.tls.clientCaSecretName (eq (.Values.tls.clientAuth | default $usual) "required") }}yes{{ end }}
{{- end }}

{{/* Fails where the server would refuse to start. */}}
{{- define "sudokud.checked" -}}
{{- $tls := .Values.tls }}
{{- $known := or .Values.tokens.secretName $tls.clientCaSecretName }}
{{- if not (or .Values.insecure (and $tls.secretName $known)) }}
{{- fail "set tls.secretName, and tokens.secretName or tls.clientCaSecretName; or insecure: true, which lets everyone in who reaches the port" }}
{{- end }}
{{- if and $tls.clientCaSecretName (not $tls.secretName) }}
{{- fail "tls.clientCaSecretName needs tls.secretName" }}
{{- end }}
{{- if and $tls.clientAuth (not $tls.clientCaSecretName) }}
{{- fail "tls.clientAuth needs tls.clientCaSecretName" }}
{{- end }}
{{- if and (eq $tls.clientAuth "optional") (not .Values.tokens.secretName) }}
{{- fail "tls.clientAuth: optional needs tokens.secretName: without it, no call would be let in" }}
{{- end }}
{{- end }}
