{{/* Ports: the defaults of the node's and the signer's configuration. */}}
{{- define "prime.ports" -}}
rpc: 8545
p2p: 26656
admin: 9100
signer: 26670
signerAdmin: 9200
explorer: 8500
{{- end }}

{{/* Names of objects begin with the name of the release: nothing is left out of it, or two releases could mean one object. */}}
{{- define "prime.fullname" -}}
{{- .Release.Name }}
{{- end }}

{{- define "prime.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end }}

{{/* What every selector has: without the instance it would mean the pods of other releases. */}}
{{- define "prime.instanceLabels" -}}
app.kubernetes.io/name: prime
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{/* Of the pods of a component. Call with (list $ "validator"). */}}
{{- define "prime.selectorLabels" -}}
{{ include "prime.instanceLabels" (index . 0) }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end }}

{{/* Of the pods of one validator. Call with (list $ "validator" $validator). */}}
{{- define "prime.validatorLabels" -}}
{{ include "prime.selectorLabels" . }}
prime-validator: {{ (index . 2).name }}
{{- end }}

{{/* Of objects. Call with (list $ "validator"). */}}
{{- define "prime.labels" -}}
{{ include "prime.selectorLabels" . }}
{{ include "prime.commonLabels" (index . 0) }}
{{- end }}

{{- define "prime.commonLabels" -}}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "prime.keysSecret" -}}
{{- $root := index . 0 }}{{ $validator := index . 1 -}}
{{- $validator.keysSecret | default (printf "%s-%s-keys" (include "prime.fullname" $root) $validator.name) }}
{{- end }}

{{- define "prime.signerKeysSecret" -}}
{{- $root := index . 0 }}{{ $validator := index . 1 -}}
{{- $validator.signer.keysSecret | default (printf "%s-%s-signer-keys" (include "prime.fullname" $root) $validator.name) }}
{{- end }}

{{/* Of its own, also with the signer's key: no Secret is mounted by two. */}}
{{- define "prime.feederKeysSecret" -}}
{{- $root := index . 0 }}{{ $validator := index . 1 -}}
{{- ($validator.feeder | default dict).keysSecret | default (printf "%s-%s-feeder-keys" (include "prime.fullname" $root) $validator.name) }}
{{- end }}

{{/* true for a validator for which this release reports prices. Call with (list $ $validator). */}}
{{- define "prime.hasFeeder" -}}
{{- $root := index . 0 }}{{ $validator := index . 1 -}}
{{- if and $root.Values.feeder.config (ne (($validator.feeder | default dict).enabled | toString) "false") }}true{{ end }}
{{- end }}

{{/* true for a validator whose signer this release runs. */}}
{{- define "prime.hasSigner" -}}
{{- if and .signer (not .signer.address) }}true{{ end }}
{{- end }}

{{/* The name that the pod of a validator keeps. */}}
{{- define "prime.validatorHost" -}}
{{- $root := index . 0 }}{{ $validator := index . 1 -}}
{{- $name := include "prime.fullname" $root -}}
{{ printf "%s-%s-0.%s-validators.%s.svc" $name $validator.name $name $root.Release.Namespace }}
{{- end }}

{{- define "prime.signerHost" -}}
{{- $root := index . 0 }}{{ $validator := index . 1 -}}
{{- $name := include "prime.fullname" $root -}}
{{ printf "%s-%s-signer-0.%s-signers.%s.svc" $name $validator.name $name $root.Release.Namespace }}
{{- end }}

{{- define "prime.genesisConfigMap" -}}
{{- .Values.genesis.configMap | default (printf "%s-genesis" (include "prime.fullname" .)) }}
{{- end }}

{{/* How many validators may be away while the others go on deciding: f of n = 3f + 1. */}}
{{- define "prime.mayBeAway" -}}
{{- $here := len .Values.validators -}}
{{- $all := max $here (int .Values.network.validators) -}}
{{- div (sub (max $all 1) 1) 3 }}
{{- end }}

{{/* Whom callers of the RPC Service reach. */}}
{{- define "prime.rpcComponent" -}}
{{- ternary "follower" "validator" .Values.followers.enabled }}
{{- end }}

{{- define "prime.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
fsGroupChangePolicy: OnRootMismatch
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "prime.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{/* What the pods of all components have. Call with (list $ $settings). */}}
{{- define "prime.podBasics" -}}
{{- $root := index . 0 }}{{ $settings := index . 1 -}}
automountServiceAccountToken: false
# Variables that Kubernetes makes of Services would be PRIME_… here, and a node refuses those that it does not know.
enableServiceLinks: false
securityContext: {{- include "prime.podSecurity" $root | nindent 2 }}
{{- with $root.Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $settings.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $settings.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $settings.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- end }}

{{/* Probes of a node: alive while its threads turn; ready when it has caught up and hears a quorum. */}}
{{- define "prime.nodeProbes" -}}
# A start replays the log and may execute blocks again; meanwhile it answers that it is alive. A process that never gets so far is started anew.
startupProbe:
  httpGet: { path: /health, port: admin }
  periodSeconds: 2
  timeoutSeconds: 2
  failureThreshold: 150
livenessProbe:
  httpGet: { path: /health, port: admin }
  periodSeconds: 5
  timeoutSeconds: 3
  failureThreshold: 6
readinessProbe:
  httpGet: { path: /ready, port: admin }
  periodSeconds: 2
  timeoutSeconds: 2
{{- end }}

{{/* Volume with what `prime node provision` and `prime signer provision` read. Call with (list $ "name of the ConfigMap"). */}}
{{- define "prime.configVolume" -}}
{{- $root := index . 0 -}}
name: config
projected:
  sources:
    - configMap: { name: {{ index . 1 }} }
    - configMap:
        name: {{ include "prime.genesisConfigMap" $root }}
        items: [{ key: genesis.json, path: genesis.json }]
{{- end }}

{{/* Changes with what nodes read when they start. Call with (list $ "text of the settings"). */}}
{{- define "prime.checksum" -}}
{{- $root := index . 0 -}}
{{- printf "%s%s" (index . 1) $root.Values.genesis.json | sha256sum }}
{{- end }}
