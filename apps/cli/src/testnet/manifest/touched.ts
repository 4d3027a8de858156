/** What a fault lays hands on, so that two at a time do not undo each other. */
import { allLinks, cutLinks, nodesNamed, type PlainFault } from '@prime/chaos/plain';
import { type Manifest, nodeNames } from './manifest.ts';

/** As chaos runs count them: sentries are followers there. */
export const sizeOf = ({
  validators,
  sentries,
  followers,
}: Manifest): { readonly validators: number; readonly followers: number } => ({
  validators: validators.length,
  followers: sentries.length + followers.length,
});

const linkKinds: ReadonlySet<string> = new Set(['partition', 'cut', 'degrade', 'reset']);

/** Whether something happens to the ways between nodes, so that they have to lead through proxies. */
export const needsLinks = ({ latency, faults }: Manifest): boolean =>
  latency !== undefined || faults.some(({ kind }) => linkKinds.has(kind));

/** Names of nodes and of links, `validator0 → validator1`. */
export function touchedBy(fault: PlainFault, manifest: Manifest): string[] {
  const names = nodeNames(manifest);
  const size = sizeOf(manifest);
  const linkNames = (links: readonly { readonly from: number; readonly to: number }[]): string[] =>
    links.map(({ from, to }) => `${names[from]} → ${names[to]}`);
  if ('links' in fault) return linkNames(fault.links === 'all' ? allLinks(size) : fault.links);
  return fault.kind === 'partition' ? linkNames(cutLinks(fault, size)) : nodesNamed(fault).map((node) => names[node]!);
}
