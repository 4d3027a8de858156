import { existsSync } from 'node:fs';
import { isIP } from 'node:net';
import type { Genesis } from '@prime/codec';
import {
  formatListenAddress,
  type HomePaths,
  type ListenAddress,
  type NodeConfig,
  ownerKeyPath,
  testSwitches,
} from '@prime/config';
import { type Advice, type Check, fail, ok, warn } from './check.ts';

/** What settings are judged with. */
export interface LintInput {
  readonly config: NodeConfig;
  readonly genesis: Genesis;
  readonly paths: Pick<HomePaths, 'home' | 'unlockedAccounts'>;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

interface Finding extends Advice {
  readonly verdict: 'warn' | 'fail';
  readonly found: string;
}

/** Settings that are valid, and that somebody may regret. Each says nothing where all is well. */
const rules: readonly ((input: LintInput) => Finding | null)[] = [
  ({ config: { p2p }, genesis }) =>
    p2p.peers.length > 0 || genesis.validators.length <= 1
      ? null
      : {
          verdict: 'warn',
          found: 'p2p.peers lists nobody',
          why: 'a node that knows no other one gets no blocks unless others dial it',
          advice: 'list nodes of the network: prime node show of their homes prints the lines',
        },
  ({ config: { p2p } }) =>
    p2p.listen === null || !isLoopback(p2p.listen.host) || p2p.peers.every(({ host }) => isLoopback(host))
      ? null
      : {
          verdict: 'warn',
          found: `p2p.listen is ${formatListenAddress(p2p.listen)}, and its peers are on other machines`,
          why: 'none of them can connect to this node: what it says comes later, or not at all where it can not dial them',
          advice: 'listen on 0.0.0.0 or the address of this machine, and say in p2p.advertise where others reach it',
        },
  ({ config: { rpc }, paths }) =>
    isLoopback(rpc.listen.host) || !existsSync(paths.unlockedAccounts)
      ? null
      : {
          verdict: 'fail',
          found: `accounts are unlocked (${paths.unlockedAccounts}), and rpc.listen is ${formatListenAddress(rpc.listen)}`,
          why: 'whoever reaches the port spends what these accounts have',
          advice: 'remove the file, or listen on 127.0.0.1',
        },
  ({ config: { rpc } }) =>
    rpc.operatorListen === null ||
    isLoopback(rpc.operatorListen.host) ||
    rpc.apiKeys.some(({ operator }) => operator === true)
      ? null
      : {
          verdict: 'warn',
          found: `rpc.operator_listen is ${formatListenAddress(rpc.operatorListen)}, and no API key has operator = true`,
          why: 'callers on other machines need such a key, so nobody can call it',
          advice: 'prime apikey new prints a key with its lines of config.toml; or listen on 127.0.0.1',
        },
  ({ config: { consensus, node } }) =>
    node.role !== 'validator' || consensus.watchBlocks > 0
      ? null
      : {
          verdict: 'warn',
          found: 'consensus.watch_blocks is 0',
          why: 'a validator whose home was copied or restored signs at once, also where its key is in use elsewhere, which costs its stake',
          advice: 'leave it out: the default watches 20 blocks in that case, and in no other',
        },
  ({ config: { upgrades } }) =>
    upgrades.haltHeight === 0
      ? null
      : {
          verdict: 'warn',
          found: `upgrades.halt_height is ${upgrades.haltHeight}`,
          why: 'the node ends after that block, and does not start again behind it',
          advice: 'take it out once the network went on',
        },
  ({ config: { log } }) =>
    log.level !== 'debug' && log.level !== 'trace'
      ? null
      : {
          verdict: 'warn',
          found: `log.level is ${log.level}`,
          why: 'lines of each vote and request fill disks and take time from blocks',
          advice: 'set info; prime node log-level debug changes it for as long as the node runs',
        },
  ({ paths, genesis }) =>
    genesis.testNetwork || !existsSync(ownerKeyPath(paths.home))
      ? null
      : {
          verdict: 'warn',
          found: `the owner’s key is on this machine (${ownerKeyPath(paths.home)})`,
          why: 'whoever breaks into a node gets its hot key at most, unless the key that holds the stake lies beside it',
          advice: 'keep it offline: a node runs without it',
        },
  ({ environment, genesis }) => {
    const set = testSwitches.filter((name) => environment[name] !== undefined);
    return set.length === 0
      ? null
      : {
          verdict: genesis.testNetwork ? 'warn' : 'fail',
          found: `${set.join(', ')} ${set.length === 1 ? 'is' : 'are'} set in this environment`,
          why: 'these make a node fail on purpose, for tests',
          advice: `unset ${set.join(' ')}`,
        };
  },
  ({ config }) => {
    const listeners = [config.rpc.listen, config.rpc.operatorListen, config.p2p.listen, config.admin.listen];
    const [twice] = listeners.filter(
      (place, index): place is ListenAddress =>
        place !== null &&
        place.port !== 0 &&
        listeners.findIndex((other) => other?.port === place.port && other.host === place.host) < index,
    );
    return twice === undefined
      ? null
      : {
          verdict: 'fail',
          found: `two of the listeners have ${formatListenAddress(twice)}`,
          why: 'a node that can not listen does not start',
          advice: 'give rpc.listen, rpc.operator_listen, p2p.listen and admin.listen ports of their own',
        };
  },
];

/** A name that is no address may be any machine, this one among them. */
const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));

/** A check for each thing that somebody may regret, or one that there is nothing. */
export function lintChecks(input: LintInput): Check[] {
  const name = 'config lint';
  const findings = rules.flatMap((rule) => rule(input) ?? []);
  if (findings.length === 0) return [ok(name, 'nothing that somebody may regret')];
  return findings.map(({ verdict, found, ...advice }) =>
    verdict === 'fail' ? fail(name, found, advice) : warn(name, found, advice),
  );
}
