/** Objects of Kubernetes, as far as tests look at them, and what Kubernetes would make of them. */

export type Labels = Readonly<Record<string, string>>;

export interface Selector {
  readonly matchLabels?: Labels;
  readonly matchExpressions?: readonly unknown[];
}

interface Probe {
  readonly httpGet?: { readonly path: string; readonly port: string | number };
  readonly periodSeconds?: number;
  readonly failureThreshold?: number;
}

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly args?: readonly string[];
  readonly command?: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value?: string }[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly startupProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly lifecycle?: { readonly preStop?: { readonly sleep?: { readonly seconds: number } } };
  readonly resources?: { readonly requests?: Labels; readonly limits?: Labels };
  readonly securityContext?: Readonly<Record<string, unknown>>;
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string; readonly readOnly?: boolean }[];
}

interface ProjectedSource {
  readonly configMap?: { readonly name: string };
  readonly secret?: { readonly name: string };
}

interface Volume {
  readonly name: string;
  readonly secret?: { readonly secretName: string; readonly defaultMode?: number };
  readonly configMap?: { readonly name: string };
  readonly projected?: { readonly sources: readonly ProjectedSource[] };
  readonly emptyDir?: Readonly<Record<string, unknown>>;
  readonly ephemeral?: unknown;
  readonly persistentVolumeClaim?: { readonly claimName: string };
}

interface AffinityTerm {
  readonly topologyKey: string;
  readonly labelSelector: Selector;
}

interface PodSpec {
  readonly automountServiceAccountToken?: boolean;
  readonly enableServiceLinks?: boolean;
  readonly terminationGracePeriodSeconds?: number;
  readonly securityContext?: Readonly<Record<string, unknown>>;
  readonly affinity?: {
    readonly podAntiAffinity?: {
      readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly AffinityTerm[];
      readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly { readonly podAffinityTerm: AffinityTerm }[];
    };
  };
  readonly topologySpreadConstraints?: readonly { readonly labelSelector: Selector }[];
  readonly initContainers?: readonly Container[];
  readonly containers: readonly Container[];
  readonly volumes?: readonly Volume[];
}

interface PodTemplate {
  readonly metadata: { readonly labels: Labels; readonly annotations?: Labels };
  readonly spec: PodSpec;
}

export interface Peer {
  readonly podSelector?: Selector;
  readonly namespaceSelector?: Selector;
  readonly ipBlock?: { readonly cidr: string };
}

interface IngressRule {
  readonly from?: readonly Peer[];
  readonly ports?: readonly { readonly port: string | number }[];
}

interface Spec {
  readonly selector?: Selector | Labels;
  readonly podSelector?: Selector;
  readonly template?: PodTemplate;
  readonly replicas?: number;
  readonly serviceName?: string;
  readonly clusterIP?: string;
  readonly publishNotReadyAddresses?: boolean;
  readonly ports?: readonly { readonly name: string; readonly port: number; readonly targetPort: string | number }[];
  readonly maxUnavailable?: number;
  readonly minReplicas?: number;
  readonly maxReplicas?: number;
  readonly scaleTargetRef?: { readonly kind: string; readonly name: string };
  readonly metrics?: readonly {
    readonly pods?: { readonly metric: { readonly name: string }; readonly target: Labels };
  }[];
  readonly ingress?: readonly IngressRule[];
  readonly policyTypes?: readonly string[];
  readonly updateStrategy?: { readonly type: string };
  readonly volumeClaimTemplates?: readonly {
    readonly metadata: { readonly name: string };
    readonly spec: { readonly accessModes: readonly string[] };
  }[];
  readonly endpoints?: readonly { readonly port: string; readonly relabelings?: readonly Labels[] }[];
  readonly groups?: readonly { readonly rules: readonly { readonly alert?: string }[] }[];
}

export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels?: Labels; readonly annotations?: Labels };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: Spec;
}

export const ofKind = (objects: readonly KubernetesObject[], kind: string): KubernetesObject[] =>
  objects.filter((object) => object.kind === kind);

export function named(objects: readonly KubernetesObject[], kind: string, name: string): KubernetesObject {
  const found = ofKind(objects, kind).filter((object) => object.metadata.name === name);
  if (found.length !== 1) throw new Error(`there are ${found.length} objects ${kind} ${name}`);
  return found[0]!;
}

/** What makes pods. */
export interface Workload {
  readonly name: string;
  readonly kind: string;
  readonly template: PodTemplate;
  readonly spec: Spec;
}

export const workloadsOf = (objects: readonly KubernetesObject[]): Workload[] =>
  objects.flatMap(({ kind, metadata: { name }, spec = {} }) =>
    spec.template === undefined ? [] : [{ name, kind, spec, template: spec.template }],
  );

/** Whether pods with these labels are meant. An empty selector means all. */
export function matches(selector: Selector, labels: Labels): boolean {
  if (selector.matchExpressions !== undefined) throw new Error('expressions of selectors are not looked at here');
  return Object.entries(selector.matchLabels ?? {}).every(([name, value]) => labels[name] === value);
}

/** A selector, and who says it. */
export interface Choice {
  readonly where: string;
  readonly selector: Selector;
}

/** Every selector of pods by which an object decides over pods: a peer of a policy that may call does not. */
export function choicesOf(objects: readonly KubernetesObject[]): Choice[] {
  return objects.flatMap(({ kind, metadata: { name }, spec = {} }) => {
    const where = `${kind} ${name}`;
    // That of a ServiceMonitor means Services; that of a Service is a map without more words.
    const own = kind === 'Service' ? { matchLabels: spec.selector as Labels } : (spec.selector as Selector | undefined);
    const pod = spec.template?.spec;
    const anti = pod?.affinity?.podAntiAffinity;
    return [
      ...(own === undefined || kind === 'ServiceMonitor' ? [] : [{ where, selector: own }]),
      ...(spec.podSelector === undefined ? [] : [{ where, selector: spec.podSelector }]),
      ...(anti?.requiredDuringSchedulingIgnoredDuringExecution ?? []).map(({ labelSelector }) => ({
        where: `${where}: affinity`,
        selector: labelSelector,
      })),
      ...(anti?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ podAffinityTerm }) => ({
        where: `${where}: affinity`,
        selector: podAffinityTerm.labelSelector,
      })),
      ...(pod?.topologySpreadConstraints ?? []).map(({ labelSelector }) => ({
        where: `${where}: spread`,
        selector: labelSelector,
      })),
    ];
  });
}

/** Selectors of some objects that mean pods of others. */
export const strangersMeant = (objects: readonly KubernetesObject[], others: readonly KubernetesObject[]): string[] =>
  choicesOf(objects).flatMap(({ where, selector }) =>
    workloadsOf(others)
      .filter(({ template }) => matches(selector, template.metadata.labels))
      .map(({ name }) => `${where} means the pods of ${name}`),
  );

/** Secrets with the workloads that mount them. */
function secretsOf(objects: readonly KubernetesObject[]): Map<string, string[]> {
  const users = new Map<string, string[]>();
  for (const { name, template } of workloadsOf(objects))
    for (const { secret, projected } of template.spec.volumes ?? [])
      for (const found of [secret?.secretName, ...(projected?.sources ?? []).map((source) => source.secret?.name)])
        if (found !== undefined) users.set(found, [...(users.get(found) ?? []), name]);
  return users;
}

/** Secrets that more than one workload mounts, or one twice. */
export const sharedSecrets = (objects: readonly KubernetesObject[]): string[] =>
  [...secretsOf(objects)]
    .filter(([, users]) => users.length > 1)
    .map(([name, users]) => `${name}: ${users.join(', ')}`);

/** Workloads that are stopped or started by somebody else's selector: two of them with one set of pods. */
export const contestedPods = (objects: readonly KubernetesObject[]): string[] =>
  workloadsOf(objects).flatMap(({ name, spec }) =>
    workloadsOf(objects)
      .filter((other) => other.name !== name && matches(spec.selector as Selector, other.template.metadata.labels))
      .map((other) => `${name} takes the pods of ${other.name}`),
  );
