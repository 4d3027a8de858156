import type { VotesStanding } from '@prime/sdk';
import { explainNoBlock, formatDuration, formatInteger, formatPercent, isLate, quorumOf } from '@prime/sdk/explain';
import type { Paint } from '../client/book/cells.ts';
import { wrap } from '../why/tell.ts';
import { type Cell, cutTo, grid } from './grid.ts';
import { newestHead, type NodeView, type StatusView } from './view.ts';

/** Room and colours of the terminal. */
export interface StatusLayout {
  readonly width: number;
  /** Lines at most; null is as many as there are. */
  readonly height: number | null;
  readonly paint: Paint;
}

/** A table whose rows may be left out where there is no room. */
interface Section {
  readonly head: readonly string[];
  readonly rows: readonly string[];
}

/** What a terminal of that size shows. Pure: no clock, no colours but those of the layout. */
export function statusLines(view: StatusView, layout: StatusLayout): string[] {
  const { height } = layout;
  const top = [headline(view, layout), ...trouble(view, layout)];
  const sections = [
    { head: ['', ...heightLines(view, layout)], rows: [] },
    nodeSection(view, layout),
    validatorSection(view, layout),
    marketSection(view, layout),
  ];
  return height === null
    ? [...top, ...sections.flatMap(({ head, rows }) => [...head, ...rows])]
    : fit(top, sections, height, layout);
}

/** Takes rows off the longest list until all fits; what is left out is counted. */
function fit(top: readonly string[], sections: readonly Section[], height: number, { paint }: StatusLayout): string[] {
  const kept = sections.map(({ rows }) => rows.length);
  const linesOf = (): string[] => [
    ...top,
    ...sections.flatMap(({ head, rows }, index) => {
      const hidden = rows.length - kept[index]!;
      return [...head, ...rows.slice(0, kept[index]), ...(hidden > 0 ? [paint.faint(`  and ${hidden} more`)] : [])];
    }),
  ];
  let lines = linesOf();
  while (lines.length > height && kept.some((count) => count > 0)) {
    // Of equal lists the last one: markets before validators before nodes.
    const longest = kept.lastIndexOf(Math.max(...kept));
    // The first row that goes makes a line that says so: two go at once.
    kept[longest] = Math.max(0, kept[longest]! - (kept[longest] === sections[longest]!.rows.length ? 2 : 1));
    lines = linesOf();
  }
  return lines.slice(0, height);
}

function headline(view: StatusView, { width, paint }: StatusLayout): string {
  const { network, commits, nowMs } = view;
  const head = newestHead(view);
  const newest = commits.at(-1);
  const parts = [
    network === null ? 'prime' : `${network.name}, chain ${network.chainId}`,
    head === null ? 'no block yet' : `block ${formatInteger(head)}`,
    newest === undefined ? null : `${formatDuration(Math.max(0, nowMs - newest.timestampMs))} ago`,
    rateOf(view),
    `nodes ${view.nodes.filter(({ head: known, away }) => known !== null && away === null).length}/${view.nodes.length}`,
  ];
  return paint.strong(cutTo(parts.filter((part) => part !== null).join('  '), width));
}

/** Blocks from whose times a pace is told. */
const paceBlocks = 32;

function rateOf({ commits }: StatusView): string | null {
  const seen = commits.slice(-paceBlocks);
  const [first, last] = [seen[0], seen.at(-1)];
  if (first === undefined || last === undefined || last.timestampMs <= first.timestampMs) return null;
  const perSecond = ((seen.length - 1) * 1_000) / (last.timestampMs - first.timestampMs);
  const rounds = seen.filter(({ round }) => round > 0).length;
  return `${perSecond.toFixed(1)} blocks/s${rounds === 0 ? '' : `, ${formatPercent(rounds / seen.length, 0)} in later rounds`}`;
}

/** Why there is no block, where one should have come by now. */
function trouble({ status, validators, commits, network }: StatusView, { width, paint }: StatusLayout): string[] {
  const headMs = commits.at(-1)?.timestampMs;
  if (status === null || headMs === undefined || validators.length === 0) return [];
  const facts = {
    status,
    validators,
    headMs,
    intervalMs: network?.intervalMs ?? 0,
    absent: validators.filter(({ isPresent }) => !isPresent).map(({ address }) => address),
  };
  if (!isLate(facts)) return [];
  const { title, text } = explainNoBlock(facts);
  return ['', paint.ask(cutTo(title, width)), ...wrap(text, width).map((line) => cutTo(line, width))];
}

function heightLines({ status, validators }: StatusView, layout: StatusLayout): string[] {
  const { width, paint } = layout;
  if (status === null) return [paint.faint(cutTo('nobody tells of the height in progress', width))];
  const round = status.currentRound;
  const nameOf = (address: string): string =>
    validators.find((validator) => validator.address === address)?.moniker ?? address;
  const since = status.sinceMs === null ? '' : ` ${formatDuration(Math.max(0, status.nowMs - status.sinceMs))}`;
  const turn = round === null ? 'no round yet' : `round ${round.round}, turn of ${nameOf(round.proposer)}`;
  const first = `deciding ${formatInteger(status.height)}  ${turn}  waits for ${status.waitsFor}${since}`;
  const bars = (name: string, votes: VotesStanding | null): string => voteBar(name, votes, status.totalPower, layout);
  return [
    cutTo(first, width),
    bars('prevotes', round?.prevotes ?? null),
    bars('precommits', round?.precommits ?? null),
  ];
}

const nameWidth = 12;
const barMin = 10;
const barMax = 60;

/** Power of the votes as a bar, with a mark where it is enough. */
function voteBar(name: string, votes: VotesStanding | null, total: bigint, { width, paint }: StatusLayout): string {
  const power = votes?.votingPower ?? 0n;
  const told = ` ${formatInteger(power)} of ${formatInteger(total)}`;
  const room = width - nameWidth - told.length;
  if (room < barMin || total === 0n) return cutTo(`${name.padEnd(nameWidth)}${told.trim()}`, width);
  const length = Math.min(room, barMax);
  const cellsOf = (part: bigint): number => Number((part * BigInt(length)) / total);
  const [filled, enough] = [cellsOf(power), Math.min(length - 1, cellsOf(quorumOf(total)))];
  const at = (index: number): string => (index < filled ? '█' : index === enough ? '│' : '░');
  const bar = Array.from({ length }, (_, index) => at(index)).join('');
  return `${name.padEnd(nameWidth)}${power >= quorumOf(total) ? paint.bid(bar) : bar}${told}`;
}

const mib = (bytes: number): string => `${formatInteger(bytes / 2 ** 20)} MiB`;
const orDash = (value: string | null): string => value ?? '-';
const count = (value: number | null): Cell => ({ text: value === null ? '-' : formatInteger(value) });

function nodeSection(view: StatusView, layout: StatusLayout): Section {
  const newest = newestHead(view);
  const columns = [
    { title: 'NODE', align: 'left' },
    { title: 'BLOCK', align: 'right' },
    { title: 'STATE', align: 'left' },
    { title: 'PEERS', align: 'right' },
    { title: 'WAIT', align: 'right' },
    { title: 'GAPS', align: 'right' },
  ] as const;
  // Of nodes whose admin endpoint is known here.
  const resourceColumns = [
    { title: 'MEMORY', align: 'right' },
    { title: 'FREE', align: 'right' },
    { title: 'FILES', align: 'right' },
    { title: 'HOME', align: 'right' },
  ] as const;
  const hasResources = view.nodes.some(({ resources }) => resources !== null);
  const rows = view.nodes.map((node): Cell[] => {
    const { resources } = node;
    const bytes = (value: number | null | undefined): Cell => ({ text: value == null ? '-' : mib(value) });
    const free = resources?.freeBytes;
    return [
      { text: node.name },
      { text: node.head === null ? '-' : formatInteger(node.head) },
      stateOf(node, newest, view.nowMs),
      count(node.peers),
      count(node.pending),
      count(node.queued),
      bytes(resources?.residentBytes),
      { text: free == null ? '-' : `${formatInteger(free / 1e9)} GB` },
      count(resources?.openFiles ?? null),
      bytes(resources?.homeBytes),
    ];
  });
  const { title, rows: lines } = grid(hasResources ? [...columns, ...resourceColumns] : columns, rows, layout);
  return { head: ['', title], rows: lines };
}

/** Blocks behind which a node is told to be behind: heads are asked for one after the other. */
const lagMin = 3n;

function stateOf({ head, away }: NodeView, newest: bigint | null, nowMs: number): Cell {
  if (away !== null)
    return { text: `AWAY ${formatDuration(Math.max(0, nowMs - away.sinceMs))}: ${away.reason}`, paint: 'ask' };
  if (head === null || newest === null) return { text: 'asked', paint: 'faint' };
  const lag = newest - head;
  return lag >= lagMin ? { text: `${formatInteger(lag)} behind`, paint: 'ask' } : { text: 'at the head', paint: 'bid' };
}

/** What a validator said in a round. */
function voteOf(votes: VotesStanding | null, address: string): Cell {
  if (votes === null) return { text: ' ' };
  if (votes.block.some((voter) => voter === address)) return { text: '●', paint: 'bid' };
  return votes.nil.some((voter) => voter === address) ? { text: '○', paint: 'ask' } : { text: '·', paint: 'faint' };
}

function validatorSection(view: StatusView, layout: StatusLayout): Section {
  const { validators, status, commits } = view;
  const total = validators.reduce((sum, { votingPower }) => sum + votingPower, 0n);
  const round = status?.currentRound ?? null;
  const columns = [
    { title: 'VALIDATOR', align: 'left' },
    { title: 'POWER', align: 'right' },
    { title: 'BLOCK', align: 'right' },
    { title: 'PV', align: 'left' },
    { title: 'PC', align: 'left' },
    { title: 'SIGNED', align: 'right' },
    { title: 'NEWEST BLOCKS ARE RIGHT', align: 'left', isWide: true },
  ] as const;
  const rows = validators.map(({ address, moniker, votingPower, head, isPresent }): Cell[] => {
    const signed = commits.filter(({ signers }) => signers.includes(address)).length;
    return [
      { text: moniker, ...(isPresent ? {} : { paint: 'ask' as const }) },
      { text: formatPercent(total === 0n ? 0 : Number((votingPower * 10_000n) / total) / 10_000) },
      { text: head === null ? (isPresent ? '-' : 'away') : formatInteger(head) },
      voteOf(round?.prevotes ?? null, address),
      voteOf(round?.precommits ?? null, address),
      { text: commits.length === 0 ? '-' : formatPercent(signed / commits.length, 0) },
      { text: '', fit: (width) => stripOf(commits, address, width) },
    ];
  });
  const { title, rows: lines } = grid(columns, rows, layout);
  return validators.length === 0 ? { head: [], rows: [] } : { head: ['', title], rows: lines };
}

/** A sign for each of the newest blocks: proposed, signed, or not in the certificate. */
function stripOf(commits: StatusView['commits'], address: string, width: number): string {
  return commits
    .slice(-width)
    .map(({ proposer, signers }) => (proposer === address ? '▣' : signers.some((one) => one === address) ? '■' : '·'))
    .join('');
}

function marketSection({ markets }: StatusView, layout: StatusLayout): Section {
  const columns = [
    { title: 'MARKET', align: 'left' },
    { title: 'LAST', align: 'right' },
    { title: 'MARK', align: 'right' },
    { title: 'BID', align: 'right' },
    { title: 'ASK', align: 'right' },
    { title: '24 H VOLUME', align: 'right' },
    { title: 'TRADES', align: 'right' },
    { title: 'STATUS', align: 'left' },
  ] as const;
  const rows = markets.map((market): Cell[] => [
    { text: market.symbol },
    { text: orDash(market.last) },
    { text: orDash(market.mark) },
    { text: orDash(market.bid), paint: 'bid' },
    { text: orDash(market.ask), paint: 'ask' },
    { text: market.volume },
    { text: formatInteger(market.trades) },
    { text: market.status },
  ]);
  const { title, rows: lines } = grid(columns, rows, layout);
  return markets.length === 0 ? { head: [], rows: [] } : { head: ['', title], rows: lines };
}
