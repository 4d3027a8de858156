/** Changes of the set of validators, made as their owners make them: with `prime validator`. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { RegisteredValidator } from '@prime/sdk';
import { BaseError, type Hex, numberToHex } from 'viem';
import type { Fault } from '../schedule/faults.ts';
import type { ChaosNetwork, Heal } from '../run/network.ts';

type Of<Kind extends Fault['kind']> = Fault & { readonly kind: Kind };

/** An owner tries again for so long, times the patience of the run, ms; networks that are healing refuse for a while. */
const changeMsMax = 60_000;
const retryMs = 500;
/** Beyond the window after which a validator that is away is jailed, ms. */
const jailedMsMax = 90_000;
const commandMsMax = 90_000;
const ether = 10n ** 18n;
/** What owners of genesis validators are given, for stake that they add. */
const ownersWei = 2_000n * ether;
const defaultPowerPercent = 90;

const run = promisify(execFile);

/** Gives owners that are to add stake something to add. Before the first phase. */
export async function fundOwners(network: ChaosNetwork, faults: readonly Fault[]): Promise<void> {
  const client = network.client(network.homes.publicUrls[0]!);
  const [from] = await client.request({ method: 'eth_accounts' });
  const owners = new Set(faults.flatMap((fault) => (fault.kind === 'stake' ? [fault.validator] : [])));
  for (const index of owners) {
    const payment = { from: from!, to: network.homes.addresses[index]! as Hex, value: numberToHex(ownersWei) };
    const hash = await client.request({ method: 'eth_sendTransaction', params: [payment] });
    const isThere = async (): Promise<boolean> =>
      (await client.request({ method: 'eth_getTransactionReceipt', params: [hash] })) !== null;
    await until(network, `wei for the owner of ${network.name(index)}`, isThere, changeMsMax);
  }
}

/**
 * A follower becomes a validator by `prime validator join`. Its stake is a share of the first validator's, in percent;
 * healed, it leaves.
 */
export async function join(network: ChaosNetwork, { node, power_percent }: Of<'join'>): Promise<Heal> {
  const first = await registeredOf(network, 0);
  const stake = (first!.stake * BigInt(power_percent ?? defaultPowerPercent)) / 100n;
  // Where it is dialled nobody listens: all its connections are those that it makes itself, through the links of this run.
  const place = ['--host', '127.0.0.1', '--port', `${network.homes.p2pPorts[node]! + closedPortOffset}`];
  const flags = ['--stake', `${stake}`, '--moniker', network.name(node), ...place];
  await change(network, node, 'join', (found) => found !== undefined && found.status !== 'left', flags);
  await restartAs(network, node, 'validator');
  await unjail(network, node);
  return async () => {
    await change(network, node, 'leave', (found) => found?.status === 'left', ['--yes']);
    await untilStatus(network, node, 'left');
    await restartAs(network, node, 'full');
  };
}

/** Of the ten ports of a node, one that it does not use. */
const closedPortOffset = 7;

async function restartAs(network: ChaosNetwork, node: number, role: 'validator' | 'full'): Promise<void> {
  const process = network.node(node);
  if (process.running) await process.end('SIGTERM');
  process.role = role;
  await network.start(node);
}

/** A validator adds a share of its stake, in percent; healed, it takes the same amount away. */
export async function addStake(network: ChaosNetwork, { validator, percent }: Of<'stake'>): Promise<Heal> {
  const before = (await registeredOf(network, validator))!.stake;
  const more = (before * BigInt(percent)) / 100n;
  const isMore = (found: RegisteredValidator | undefined): boolean => (found?.stake ?? 0n) > before;
  await change(network, validator, 'stake', isMore, ['--add', `${more}`]);
  return () => change(network, validator, 'stake', (found) => !isMore(found), ['--remove', `${more}`]);
}

/** A validator registers a new signing key. Nothing is to be healed: the new key stays. */
export async function rotateSigner(network: ChaosNetwork, { validator }: Of<'rotate_signer'>): Promise<Heal> {
  const before = (await registeredOf(network, validator))?.signer;
  await change(network, validator, 'rotate-signer', (found) => found?.signer !== before);
  return async () => undefined;
}

/** A validator takes itself out of the set, and is waited for until it is out; healed, it comes back. */
export async function jailSelf(network: ChaosNetwork, { validator }: Of<'jail_self'>): Promise<Heal> {
  await change(network, validator, 'jail-self', (found) => found?.status === 'jailed');
  await untilStatus(network, validator, 'jailed');
  return () => unjail(network, validator);
}

/** Kills a validator until the others jail it, or the time for that is over; healed, it starts and comes back. */
export async function downtime(network: ChaosNetwork, { validator }: Of<'downtime'>): Promise<Heal> {
  await network.node(validator).end('SIGKILL');
  if (await untilStatus(network, validator, 'jailed', jailedMsMax)) network.changes.push('downtime');
  return async () => {
    await network.start(validator);
    await unjail(network, validator);
  };
}

/** Brings back whoever was jailed on the way, as operators do: a restart on a busy machine may take longer than the window. */
export async function unjailAll(network: ChaosNetwork): Promise<void> {
  const first = network.homes.addresses.slice(0, network.validators);
  let registered: readonly RegisteredValidator[] = [];
  const isTold = async (): Promise<boolean> => {
    registered = await anyRegistered(network);
    return true;
  };
  await until(network, 'validators are told', isTold, changeMsMax);
  for (const { address, status, tombstoned } of registered) {
    const index = first.findIndex((each) => each === address);
    if (index < 0 || status !== 'jailed' || tombstoned) continue;
    network.say(`${network.name(index)} was jailed`);
    await unjail(network, index);
  }
}

async function unjail(network: ChaosNetwork, index: number): Promise<void> {
  await change(network, index, 'unjail', (found) => found?.status === 'active');
  await untilStatus(network, index, 'active');
}

/** What the chain has registered for the owner of a node, by the node's index; undefined where it has no stake. */
export const registeredOf = async (network: ChaosNetwork, index: number): Promise<RegisteredValidator | undefined> =>
  (await anyRegistered(network)).find(({ address }) => address === network.homes.addresses[index]);

const anyRegistered = async (network: ChaosNetwork): Promise<readonly RegisteredValidator[]> =>
  network.client(newestUrl(network)).getRegisteredValidators();

/** Of the node with the newest block: one that is cut off neither knows nor changes anything. */
function newestUrl(network: ChaosNetwork): string {
  const { heads } = network.watch;
  const [first, ...others] = network.serving();
  if (first === undefined) throw new Error('nobody serves');
  const newest = others.reduce((best, index) => (heads[index]! > heads[best]! ? index : best), first);
  return network.homes.operatorUrls[newest]!;
}

/** A node that goes on is further than any was when it was looked for: by what two looks at the heads may miss, blocks. */
const leadBlocks = 5;
/** Where nothing goes on, the one with the newest block is as good as any; times the patience of the run, ms. */
const leadMsMax = 10_000;

/** Who was cut off a moment ago may still show the newest block, but what it takes is in no block until it is back. */
async function leadingUrl(network: ChaosNetwork): Promise<string> {
  const lead = network.watch.highest(network.all) + leadBlocks;
  await network.watch.until((heads) => Math.max(...heads) >= lead, leadMsMax * network.patience);
  return newestUrl(network);
}

/** Carries a command out, and again while the network refuses it; what never works is told, and the run goes on. */
async function change(
  network: ChaosNetwork,
  index: number,
  command: string,
  isDone: (found: RegisteredValidator | undefined) => boolean,
  flags: readonly string[] = [],
): Promise<void> {
  const home = network.node(index).home;
  let last = '';
  const attempt = async (): Promise<boolean> => {
    const args = [network.program, 'validator', command, '--home', home, '--rpc', await leadingUrl(network), ...flags];
    try {
      await run(process.execPath, args, { timeout: commandMsMax });
      return true;
    } catch (error) {
      last = String((error as { stderr?: string }).stderr ?? error).trim();
      // The answer may be lost although the action was carried out: a second one is refused then, or would be one too many.
      return isDone(await registeredOf(network, index));
    }
  };
  const done = await until(network, `${command} of ${network.name(index)}`, attempt, changeMsMax, () => last);
  if (done) {
    network.changes.push(command);
    network.say(`${network.name(index)}: ${command}`);
  }
}

const untilStatus = (
  network: ChaosNetwork,
  index: number,
  wanted: string,
  deadlineMs = changeMsMax,
): Promise<boolean> => {
  const holds = async (): Promise<boolean> => (await registeredOf(network, index))?.status === wanted;
  return until(network, `${network.name(index)} is ${wanted}`, holds, deadlineMs);
};

/** Asks until it holds. @returns false, and it is noted, when it does not in time */
async function until(
  network: ChaosNetwork,
  what: string,
  holds: () => Promise<boolean>,
  deadlineMs: number,
  reason: () => string = () => '',
): Promise<boolean> {
  const endMs = network.nowMs() + deadlineMs * network.patience;
  let error = '';
  while (network.nowMs() < endMs && !network.interrupted) {
    try {
      if (await holds()) return true;
    } catch (failure) {
      // Whoever was asked may just be going down.
      error = wordsOf(failure);
    }
    await new Promise((resolve) => setTimeout(resolve, retryMs));
  }
  const words = `${what}: not in time. ${reason()} ${error}`.trim();
  network.say(words);
  network.failedChanges.push({ validator: 0, atMs: network.nowMs(), words });
  return false;
}

/** What went wrong, in one line: viem's messages go on with the whole request. */
const wordsOf = (thrown: unknown): string =>
  thrown instanceof BaseError ? `${thrown.shortMessage} ${thrown.details}`.trim() : (thrown as Error).message;
