/** The verdict on a run: a pure function of its evidence. */
import { agreement, roots } from '../chainViews.ts';
import { type Finding, finding, seconds, type Verdict, verdictOf } from '../finding.ts';
import type { Evidence, MemorySample, PhaseOutcome, SignatureRecord } from './evidence.ts';

/** A validator may not grow beyond this, bytes. */
const rssBytesMax = 1_536 * 1024 * 1024;
/** Nor by more than this in an hour, once it has run for {@link slopeMsMin}; the beginning, when caches fill, does not count. */
const slopeBytesPerHourMax = 256 * 1024 * 1024;
const slopeMsMin = 20 * 60_000;

/** Judges a run. */
export function judge(evidence: Evidence): Verdict {
  return verdictOf([
    agreement(evidence),
    roots(evidence),
    acknowledgedWrites(evidence),
    conservation(evidence),
    ...judgeFaults(evidence),
    membership(evidence),
    memory(evidence),
  ]);
}

/** What the faults of a run may not lead to, whoever sent the load. */
export const judgeFaults = (
  evidence: Pick<Evidence, 'names' | 'phases' | 'signatures' | 'ends' | 'wrongAnswers' | 'complaints'>,
): readonly Finding[] => [
  signaturesFinding(evidence),
  livenessMeanwhile(evidence),
  recovery(evidence),
  exits(evidence),
  answers(evidence),
  complaints(evidence),
];

/** What a client was told is there, on every validator. */
function acknowledgedWrites({ writes, claims, names }: Evidence): Finding {
  const violations = claims.flatMap(({ validator, write, problem }) =>
    problem === null ? [] : [`${write.kind} ${write.id} (${write.words}) on ${names[validator]}: ${problem}`],
  );
  const asked = claims.length;
  if (asked !== writes.length * names.length)
    violations.push(`${writes.length} writes were to be looked for on ${names.length} nodes, ${asked} answers came`);
  return finding(
    'acknowledged writes',
    `${writes.length} writes (${countKinds(writes)}) on ${names.length} nodes`,
    violations,
  );
}

const countKinds = (writes: Evidence['writes']): string => countWords(writes.map(({ kind }) => kind)) || 'none';

function countWords(words: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].map(([word, count]) => `${count} ${word}`).join(', ');
}

/** Wei in escrow are what the accounts of the order book hold, on every validator. */
function conservation({ views, names }: Evidence): Finding {
  const violations = views
    .filter(({ escrow, held }) => escrow !== held)
    .map(
      ({ validator, escrow, held }) => `${names[validator]}: ${escrow} wei in escrow, ${held} wei in the order book`,
    );
  return finding('conservation', `${views[0]?.escrow ?? 0n} wei in escrow on ${views.length} nodes`, violations);
}

/** No validator signed two things at one place. */
export function signaturesFinding({ signatures: records }: Pick<Evidence, 'signatures'>): Finding {
  const byPlace = new Map<string, SignatureRecord>();
  const violations: string[] = [];
  for (const record of records) {
    const { signer, height, round, step, value, source } = record;
    const place = `${signer} ${height} ${round} ${step}`;
    const earlier = byPlace.get(place);
    if (earlier === undefined) byPlace.set(place, record);
    else if (earlier.value !== value)
      violations.push(
        `${signer} signed two ${step}s at height ${height}, round ${round}: ${earlier.value} (${earlier.source}) and ${value} (${source})`,
      );
  }
  return finding('no second signature', `${byPlace.size} signatures at places of their own`, violations);
}

/** While faults last: blocks where liveness is promised, none where nobody can decide, none by a minority. */
function livenessMeanwhile({ phases }: Pick<Evidence, 'phases'>): Finding {
  const violations = phases.flatMap(problemsMeanwhile);
  const live = phases.filter(({ promise }) => promise === 'live').length;
  const halted = phases.filter(({ promise }) => promise === 'halt').length;
  return finding('progress during faults', `${live} phases that go on, ${halted} that stand still`, violations);
}

function problemsMeanwhile(phase: PhaseOutcome): string[] {
  const { name, promise, headBefore, headAfter, longestStallMs, stallMsMax, blocksOfMinority } = phase;
  const problems: string[] = [];
  if (promise === 'live' && longestStallMs > stallMsMax)
    problems.push(`${name}: no block for ${seconds(longestStallMs)}, at most ${seconds(stallMsMax)}`);
  if (promise === 'halt' && headAfter > headBefore)
    problems.push(`${name}: ${headAfter - headBefore} blocks were decided without a majority`);
  if (blocksOfMinority > 0) problems.push(`${name}: a minority shows ${blocksOfMinority} new blocks`);
  return problems;
}

/** After healing all validators commit new blocks in time. */
function recovery({ phases }: Pick<Evidence, 'phases'>): Finding {
  const violations = phases.flatMap(({ name, recoveryMs, recoveryMsMax }) => {
    if (recoveryMs === null) return [`${name}: not all came back; at most ${seconds(recoveryMsMax)}`];
    return recoveryMs > recoveryMsMax
      ? [`${name}: back after ${seconds(recoveryMs)}, at most ${seconds(recoveryMsMax)}`]
      : [];
  });
  const slowest = Math.max(0, ...phases.map(({ recoveryMs }) => recoveryMs ?? 0));
  return finding('recovery', `${phases.length} phases, slowest ${seconds(slowest)}`, violations);
}

/** Processes end when and as they should. */
function exits({ ends, names }: Pick<Evidence, 'ends' | 'names'>): Finding {
  const violations = ends
    .filter(({ code, signal, expected }) => !expected.includes(code ?? signal ?? 'unknown'))
    .map(({ validator, atMs, code, signal, expected, words }) => {
      const wanted = expected.length === 0 ? 'it should not have ended' : `expected ${expected.join(' or ')}`;
      return `${names[validator]} ended with ${code ?? signal} at ${seconds(atMs)}; ${wanted}. ${words}`;
    });
  const counts = new Map<string, number>();
  for (const { code, signal } of ends) counts.set(`${code ?? signal}`, (counts.get(`${code ?? signal}`) ?? 0) + 1);
  const seen = [...counts].map(([end, count]) => `${count} × ${end}`).join(', ');
  return finding('exit codes', `${ends.length} ends${seen === '' ? '' : `: ${seen}`}`, violations);
}

/** Who has damaged files may be silent, and never wrong. */
function answers({ wrongAnswers, names }: Pick<Evidence, 'wrongAnswers' | 'names'>): Finding {
  const violations = wrongAnswers.map(
    ({ validator, atMs, words }) => `${names[validator]} at ${seconds(atMs)}: ${words}`,
  );
  return finding('no wrong answer from damaged files', `${wrongAnswers.length} wrong answers`, violations);
}

/** No validator saw another one equivocate or break a rule. */
function complaints({ complaints: lines, names }: Pick<Evidence, 'complaints' | 'names'>): Finding {
  const violations = lines.map(({ validator, atMs, words }) => `${names[validator]} at ${seconds(atMs)}: ${words}`);
  return finding('no complaints about each other', `${lines.length} lines`, violations);
}

/** What owners asked for was done; all nodes know the same validators, and in the end those of the beginning decide. */
function membership({ views, names, changes, failedChanges, members }: Evidence): Finding {
  const violations = failedChanges.map(
    ({ validator, atMs, words }) => `${names[validator]} at ${seconds(atMs)}: ${words}`,
  );
  const [first] = views;
  for (const { validator, registered } of views) {
    if (registered.join() !== first!.registered.join())
      violations.push(
        `${names[first!.validator]} and ${names[validator]} know different validators: ${first!.registered.join('; ')} and ${registered.join('; ')}`,
      );
  }
  for (const address of members)
    if (first !== undefined && !first.registered.some((line) => line.startsWith(address) && line.includes(' active ')))
      violations.push(`${address} is not in the set in the end: ${first.registered.join('; ')}`);
  return finding(
    'membership',
    `${changes.length} changes${changes.length > 0 ? `: ${countWords(changes)}` : ''}`,
    violations,
  );
}

/** Memory is bounded and does not grow. */
function memory({ memory: samples, names }: Evidence): Finding {
  const violations: string[] = [];
  const highest = new Map<number, number>();
  for (const { validator, rssBytes } of samples)
    highest.set(validator, Math.max(highest.get(validator) ?? 0, rssBytes));
  for (const [validator, bytes] of highest)
    if (bytes > rssBytesMax)
      violations.push(`${names[validator]} took ${mebibytes(bytes)}, at most ${mebibytes(rssBytesMax)}`);
  const byProcess = new Map<string, MemorySample[]>();
  for (const sample of samples) {
    const process = `${sample.validator} ${sample.pid}`;
    byProcess.set(process, [...(byProcess.get(process) ?? []), sample]);
  }
  for (const [, own] of byProcess) {
    const slope = growthPerHour(own);
    if (slope !== null && slope > slopeBytesPerHourMax)
      violations.push(
        `${names[own[0]!.validator]} grows by ${mebibytes(slope)} an hour, at most ${mebibytes(slopeBytesPerHourMax)}`,
      );
  }
  const most = Math.max(0, ...highest.values());
  return finding('memory', `at most ${mebibytes(most)} in ${samples.length} samples`, violations);
}

/** Slope of a straight line through the second half of the samples, bytes an hour; null when they cover too little time. */
export function growthPerHour(samples: readonly MemorySample[]): number | null {
  const [first, last] = [samples[0], samples.at(-1)];
  if (first === undefined || last === undefined || last.atMs - first.atMs < slopeMsMin) return null;
  const half = samples.filter(({ atMs }) => atMs >= (first.atMs + last.atMs) / 2);
  const meanMs = half.reduce((sum, { atMs }) => sum + atMs, 0) / half.length;
  const meanBytes = half.reduce((sum, { rssBytes }) => sum + rssBytes, 0) / half.length;
  let above = 0;
  let below = 0;
  for (const { atMs, rssBytes } of half) {
    above += (atMs - meanMs) * (rssBytes - meanBytes);
    below += (atMs - meanMs) ** 2;
  }
  return below === 0 ? null : (above / below) * 3_600_000;
}

const mebibytes = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MiB`;
