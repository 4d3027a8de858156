/**
 * Objects of Kubernetes on standard input, a JSON array, against the schemas of its API: for each what is wrong with it, a JSON array of arrays on standard output.
 *
 * The schemas are functions, and allow fields that they do not know. A field that nobody asked for while they ran is unknown, and Kubernetes would drop it.
 */
import { readFileSync } from 'node:fs';

const core = 'kubernetes-models/_schemas/IoK8sApi';
const operator = '@kubernetes-models/prometheus-operator/_schemas/MonitoringCoreosCom';
const modules = {
  'v1 ConfigMap': `${core}CoreV1ConfigMap`,
  'v1 PersistentVolumeClaim': `${core}CoreV1PersistentVolumeClaim`,
  'v1 Pod': `${core}CoreV1Pod`,
  'v1 Service': `${core}CoreV1Service`,
  'apps/v1 Deployment': `${core}AppsV1Deployment`,
  'apps/v1 StatefulSet': `${core}AppsV1StatefulSet`,
  'autoscaling/v2 HorizontalPodAutoscaler': `${core}AutoscalingV2HorizontalPodAutoscaler`,
  'batch/v1 Job': `${core}BatchV1Job`,
  'networking.k8s.io/v1 NetworkPolicy': `${core}NetworkingV1NetworkPolicy`,
  'policy/v1 PodDisruptionBudget': `${core}PolicyV1PodDisruptionBudget`,
  'monitoring.coreos.com/v1 PrometheusRule': `${operator}V1PrometheusRule`,
  'monitoring.coreos.com/v1 ServiceMonitor': `${operator}V1ServiceMonitor`,
};

/** A view of a value that remembers which fields were asked for, in `unread` by their paths. */
function watched(value, path, unread) {
  if (typeof value !== 'object' || value === null) return value;
  const views = new Map();
  if (!Array.isArray(value)) for (const key of Object.keys(value)) unread.add(`${path}.${key}`);
  return new Proxy(value, {
    get(target, key) {
      if (typeof key !== 'string' || !Object.hasOwn(target, key)) return Reflect.get(target, key);
      unread.delete(`${path}.${key}`);
      if (!views.has(key)) views.set(key, watched(target[key], `${path}.${key}`, unread));
      return views.get(key);
    },
  });
}

async function problemsOf(object) {
  const { apiVersion, kind } = object;
  const module = modules[`${apiVersion} ${kind}`];
  if (module === undefined) return [`no schema of ${apiVersion} ${kind}`];
  const { validate } = await import(`${new URL('node_modules/', import.meta.url)}${module}.mjs`);
  const unread = new Set();
  const isValid = validate(watched(object, '', unread));
  const errors = isValid
    ? []
    : validate.errors.map((error) => `${error.instancePath} ${error.keyword} ${JSON.stringify(error.params)}`);
  return [...errors, ...[...unread].map((path) => `${path.slice(1)} is no field`)];
}

const objects = JSON.parse(readFileSync(0, 'utf8'));
process.stdout.write(JSON.stringify(await Promise.all(objects.map(problemsOf))));
