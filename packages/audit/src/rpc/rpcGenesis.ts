import { type Genesis, genesisHash } from '@prime/codec';
import { parseGenesis } from '@prime/config';
import { Answer } from './answer.ts';
import { type Call, toHex } from './call.ts';
import { AuditError } from '../errors.ts';

/**
 * The genesis of the network that a node belongs to, compared with the hash of the node's own block 0.
 *
 * @throws ConfigError, AuditError `AUDIT_ANSWER_UNREADABLE` also for a genesis with another hash
 */
export async function readGenesisByRpc(call: Call): Promise<Genesis> {
  const method = 'prime_getGenesis';
  const genesis = parseGenesis(JSON.stringify(new Answer(method, await call(method)).object()));
  const block = new Answer('eth_getBlockByNumber', await call('eth_getBlockByNumber', [toHex(0), false]));
  const [hash, expected] = [genesisHash(genesis), block.field('hash').hash()];
  if (hash === expected) return genesis;
  throw new AuditError(`the node tells a genesis with hash ${hash}, and runs on ${expected}`, {
    code: 'AUDIT_ANSWER_UNREADABLE',
    method,
    field: 'result',
    value: hash,
  });
}
