import type { Genesis } from '@prime/codec';
import type { HomePaths } from '@prime/config';
import type { CryptoProvider } from '@prime/crypto';
import type { Logger } from '@prime/telemetry';
import { HotKeys, type UnlockedKeys } from './hotKeys.ts';
import type { RemoteKeys } from './remoteKeys.ts';
import { ValidatorKeys } from './validatorKeys.ts';

/** What the keys of a node are made from: its home, and what was unlocked there when it started. */
export interface KeySources {
  readonly genesis: Genesis;
  readonly home: HomePaths;
  readonly keys: UnlockedKeys;
  /** The signer that has the keys; null where they are in the home. */
  readonly remote: RemoteKeys | null;
  readonly provider: CryptoProvider;
  readonly logger: Logger;
}

/** The hot keys of a node with the validators that they may belong to. `lookForKeys` takes a new key from the home, where keys are there. */
export function openKeys({ genesis, home, keys: unlocked, remote, provider, logger }: KeySources): {
  readonly keys: ValidatorKeys;
  lookForKeys(): void;
} {
  if (remote !== null)
    return { keys: new ValidatorKeys(genesis, remote.list, home.validator), lookForKeys: () => undefined };
  const held = new HotKeys(home, provider, unlocked, {
    onUnlocked: () => keys.refresh(),
    onFailed: (error) => logger.error({ error: String(error) }, 'a new key can not be used'),
  });
  const keys = new ValidatorKeys(genesis, held.list, home.validator);
  return { keys, lookForKeys: () => held.look() };
}
