{{/* The server's file and its container: what every mode runs. */}}

{{/* An option's value in TOML. Numbers of values are floating-point however they are written. */}}
{{- define "sudokud.toml" -}}
{{- if kindIs "string" . }}{{ toJson . }}
{{- else if and (kindIs "float64" .) (eq (floor .) .) }}{{ int64 . }}
{{- else }}{{ . }}
{{- end }}
{{- end }}

{{/* Options that follow from the values. */}}
{{- define "sudokud.options" -}}
listen = "0.0.0.0:50051"
health-listen = "0.0.0.0:50052"
admin-listen = "0.0.0.0:50053"
drain-delay = "{{ .Values.drain.delaySeconds }}s"
drain-timeout = "{{ .Values.drain.timeoutSeconds }}s"
{{- if .Values.insecure }}
insecure = true
{{- end }}
{{- if .Values.tls.secretName }}
tls-cert = "/etc/sudokud/tls/tls.crt"
tls-key = "/etc/sudokud/tls/tls.key"
{{- end }}
{{- if .Values.tls.clientCaSecretName }}
tls-client-ca = "/etc/sudokud/client-ca/ca.crt"
{{- end }}
{{- with .Values.tls.clientAuth }}
tls-client-auth = {{ . | quote }}
{{- end }}
{{- if .Values.tokens.secretName }}
tokens = "/etc/sudokud/tokens/tokens"
{{- end }}
{{- range $option, $value := .Values.config }}
{{ $option }} = {{ include "sudokud.toml" $value }}
{{- end }}
{{- end }}

{{- define "sudokud.server.container" -}}
name: sudokud
image: {{ include "sudokud.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
args: [serve, --config, /etc/sudokud/config/sudokud.toml]
{{- with .Values.extraEnv }}
env:
  {{- toYaml . | nindent 2 }}
{{- end }}
ports:
  - name: grpc
    containerPort: 50051
  - name: health
    containerPort: 50052
  - name: metrics
    containerPort: 50053
# After a crash the store is checked before it serves: 10 minutes for that.
startupProbe:
  grpc:
    port: 50052
  periodSeconds: 2
  timeoutSeconds: 2
  failureThreshold: 300
readinessProbe:
  grpc:
    port: 50052
  periodSeconds: 5
  timeoutSeconds: 2
  failureThreshold: 2
livenessProbe:
  grpc:
    port: 50052
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
resources:
  {{- toYaml .Values.resources | nindent 2 }}
securityContext:
  {{- include "sudokud.containerSecurity" . | nindent 2 }}
{{- end }}

{{- define "sudokud.server.mounts" -}}
- name: config
  mountPath: /etc/sudokud/config
  readOnly: true
{{- if .Values.tls.secretName }}
- name: tls
  mountPath: /etc/sudokud/tls
  readOnly: true
{{- end }}
{{- if .Values.tls.clientCaSecretName }}
- name: client-ca
  mountPath: /etc/sudokud/client-ca
  readOnly: true
{{- end }}
{{- if .Values.tokens.secretName }}
- name: tokens
  mountPath: /etc/sudokud/tokens
  readOnly: true
{{- end }}
{{- with .Values.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "sudokud.server.volumes" -}}
- name: config
  configMap:
    name: {{ include "sudokud.fullname" . }}
{{- with .Values.tls.secretName }}
- name: tls
  secret:
    secretName: {{ . }}
    defaultMode: 0440
    items:
      - key: tls.crt
        path: tls.crt
      - key: tls.key
        path: tls.key
{{- end }}
{{- with .Values.tls.clientCaSecretName }}
- name: client-ca
  secret:
    secretName: {{ . }}
    defaultMode: 0440
    items:
      - key: ca.crt
        path: ca.crt
{{- end }}
{{- with .Values.tokens.secretName }}
- name: tokens
  secret:
    secretName: {{ . }}
    defaultMode: 0440
    items:
      - key: tokens
        path: tokens
{{- end }}
{{- with .Values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* Where pods may go: the same values in every mode. */}}
{{- define "sudokud.placement" -}}
{{- with .Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- range $field := list "nodeSelector" "tolerations" "affinity" "topologySpreadConstraints" }}
{{- with index $.Values $field }}
{{ $field }}:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- end }}
