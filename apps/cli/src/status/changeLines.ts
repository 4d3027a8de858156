import { type Explanation, formatInteger } from '@prime/sdk/explain';
import { isAnswering, newestHead, type StatusView, troubleOf } from './view.ts';

/** Lines for pipes and logs: what changed from one look to the next. @param before null before the first */
export function changeLines(before: StatusView | null, now: StatusView): string[] {
  return [...nodeLines(before, now), ...blockLines(before, now), ...troubleLines(before, now)];
}

function nodeLines(before: StatusView | null, { nodes }: StatusView): string[] {
  return nodes.flatMap((node, index) => {
    const was = before?.nodes[index] ?? null;
    if (node.away !== null) return was?.away != null ? [] : [`${node.name} is away: ${node.away.reason}`];
    if (node.head === null) return [];
    if (was?.away != null) return [`${node.name} is back, at block ${formatInteger(node.head)}`];
    return was?.head == null ? [`${node.name} answers, at block ${formatInteger(node.head)}`] : [];
  });
}

function blockLines(before: StatusView | null, now: StatusView): string[] {
  const head = newestHead(now);
  if (head === null || head === (before === null ? null : newestHead(before))) return [];
  const { commits, validators, nodes } = now;
  const commit = commits.findLast(({ blockNumber }) => blockNumber === head);
  const decided =
    commit === undefined ? '' : `  round ${commit.round}  ${commit.signers.length} of ${validators.length} signed`;
  const waiting = Math.max(0, ...nodes.map(({ pending }) => pending ?? 0));
  const answering = nodes.filter(isAnswering).length;
  return [`block ${formatInteger(head)}${decided}  ${answering} of ${nodes.length} nodes  ${waiting} waiting`];
}

/** Once for each cause: how long it lasts changes with every look. */
const causeOf = (trouble: Explanation | null): string | null =>
  trouble === null ? null : trouble.title.replace(/^No block for [^:]*/, '');

function troubleLines(before: StatusView | null, now: StatusView): string[] {
  const trouble = troubleOf(now);
  const was = before === null ? null : causeOf(troubleOf(before));
  if (trouble === null) return was === null ? [] : ['blocks come again'];
  return causeOf(trouble) === was ? [] : [`${trouble.title}. ${trouble.text}`];
}
