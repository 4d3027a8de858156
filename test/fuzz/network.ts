import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTestnet, type Testnet } from '@prime/testkit';

/** Time limits that let a run meet them often. */
const environment = {
  PRIME_LIMITS_CALL_MS: '1000',
  PRIME_LIMITS_ACTION_MS: '3000',
  PRIME_LIMITS_BODY_MS: '3000',
};

/** A network of one validator, which goes through consensus all the same. */
export async function fuzzNetwork(): Promise<{ readonly testnet: Testnet; readonly pid: number }> {
  const testnet = await createTestnet({ validators: 1, environment, sheds: true });
  await testnet.startAll();
  return { testnet, pid: Number(await readFile(join(testnet.home(0), 'node.pid'), 'utf8')) };
}
