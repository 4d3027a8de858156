{{/* Keys of config.toml that follow from the release. */}}
{{- define "prime.ownKeys" -}}
node: [role]
rpc: [listen, explorer_url]
p2p: [listen, advertise, peers, followers]
admin: [listen]
signer: [address, spki]
sync: [trusted_height, trusted_hash]
{{- end }}

{{/* Refuses settings of somebody that the chart sets. Call with (list "config" $config). */}}
{{- define "prime.checkConfig" -}}
{{- $name := index . 0 }}{{ $config := index . 1 -}}
{{- range $section, $keys := include "prime.ownKeys" . | fromYaml }}
{{- range $keys }}
{{- if hasKey (get $config $section | default dict) . }}
{{- fail (printf "%s.%s.%s is set by the chart" $name $section .) }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{/* TOML of sections. Text, numbers, flags and lists of them are written alike in JSON and TOML; lists of tables are tables of their own. */}}
{{- define "prime.toml" -}}
{{- range $section, $keys := . }}
[{{ $section }}]
{{- range $key, $value := $keys }}
{{- if not (and (kindIs "slice" $value) (gt (len $value) 0) (kindIs "map" (first $value))) }}
{{ $key }} = {{ toJson $value }}
{{- end }}
{{- end }}
{{- range $key, $value := $keys }}
{{- if and (kindIs "slice" $value) (gt (len $value) 0) (kindIs "map" (first $value)) }}
{{- range $value }}

[[{{ $section }}.{{ $key }}]]
{{- range $name, $field := . }}
{{ $name }} = {{ toJson $field }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{ end }}
{{- end }}

{{/* Peers of a node, as YAML with the key peers: validators of this release but itself, and those elsewhere. Call with (list $ "name of the validator, or empty"). */}}
{{- define "prime.peers" -}}
{{- $root := index . 0 }}{{ $self := index . 1 -}}
{{- $port := (include "prime.ports" $root | fromYaml).p2p -}}
{{- $peers := list -}}
{{- range $root.Values.validators }}
{{- if ne .name $self }}
{{- $peers = append $peers (dict "address" .address "host" (include "prime.validatorHost" (list $root .)) "port" $port "spki" .spki) }}
{{- end }}
{{- end }}
{{- dict "peers" (concat $peers $root.Values.peers) | toYaml }}
{{- end }}

{{/* What all nodes have, as YAML. */}}
{{- define "prime.nodeConfig" -}}
{{- $ports := include "prime.ports" . | fromYaml -}}
rpc:
  listen: {{ printf "%s:%v" .Values.listenHost $ports.rpc }}
{{- with .Values.explorer.url }}
  explorer_url: {{ . }}
{{- end }}
admin:
  listen: {{ printf "%s:%v" .Values.listenHost $ports.admin }}
{{- end }}

{{/* config.toml of a validator. Call with (list $ $validator). */}}
{{- define "prime.validatorToml" -}}
{{- $root := index . 0 }}{{ $validator := index . 1 -}}
{{- $ports := include "prime.ports" $root | fromYaml -}}
{{- $advertise := $validator.advertise | default (printf "%s:%v" (include "prime.validatorHost" .) $ports.p2p) -}}
{{- $p2p := dict "listen" (printf "%s:%v" $root.Values.listenHost $ports.p2p) "advertise" $advertise -}}
{{- if $root.Values.followers.enabled }}{{ $_ := set $p2p "followers" "all" }}{{ end -}}
{{- $own := dict "node" (dict "role" "validator") "p2p" (merge $p2p (include "prime.peers" (list $root $validator.name) | fromYaml)) -}}
{{- with $validator.signer }}
{{- $address := .address | default (printf "%s:%v" (include "prime.signerHost" (list $root $validator)) $ports.signer) }}
{{- $_ := set $own "signer" (dict "address" $address "spki" .spki) }}
{{- end }}
{{- $common := include "prime.nodeConfig" $root | fromYaml }}
{{- include "prime.toml" (merge $own $common (deepCopy ($validator.config | default dict)) (deepCopy $root.Values.config)) }}
{{- end }}

{{/* config.toml of the followers. They dial, and nobody dials them. */}}
{{- define "prime.followersToml" -}}
{{- $own := dict "node" (dict "role" "full") "p2p" (merge (dict "listen" "") (include "prime.peers" (list . "") | fromYaml)) -}}
{{- with .Values.followers.sync }}
{{- if gt (int64 .trustedHeight) 0 }}
{{- $_ := set $own "sync" (dict "trusted_height" .trustedHeight "trusted_hash" .trustedHash) }}
{{- end }}
{{- end }}
{{- $common := include "prime.nodeConfig" . | fromYaml }}
{{- include "prime.toml" (merge $own $common (deepCopy .Values.followers.config) (deepCopy .Values.config)) }}
{{- end }}

{{/* signer.toml. Call with (list $ $validator). */}}
{{- define "prime.signerToml" -}}
{{- $root := index . 0 }}{{ $validator := index . 1 -}}
{{- $ports := include "prime.ports" $root | fromYaml -}}
listen = {{ printf "%s:%v" $root.Values.listenHost $ports.signer | quote }}
admin = {{ printf "%s:%v" $root.Values.listenHost $ports.signerAdmin | quote }}

[[nodes]]
name = {{ $validator.name | quote }}
spki = {{ $validator.spki | lower | quote }}
{{ end }}
