import { encodeActionResult } from '@prime/codec';
import { keccakHex } from '@prime/crypto';
import { loadUws } from '@prime/gateway';
import { serveParent } from '../ownServer.ts';

/**
 * A node that takes every action: it answers each request at once with the receipt of a batch whose orders all rest. Only the hash is worked out, so that an answer
 * is that of its request. Started with the number of orders in a batch; sends its port when it listens.
 */
const size = Number(process.argv[2]);
const { library } = loadUws();
const output = encodeActionResult({
  ok: true,
  value: {
    type: 'batch',
    results: Array.from({ length: size }, (_, index) => ({
      ok: true,
      value: {
        type: 'order',
        orderId: (1_000_000 + index) as never,
        marketId: 1 as never,
        status: 'open',
        filled: 0n,
        remaining: 250n as never,
        decremented: 0n,
        reason: null,
        trades: [],
      },
    })),
  },
});
const fields = {
  block_number: '0x7',
  blockNumber: '0x7',
  status: '0x1',
  logs: [],
  output: `0x${Buffer.from(output).toString('hex')}`,
};

interface Request {
  readonly id: number;
  readonly method: string;
  readonly params: readonly string[];
}

function answer({ id, method, params }: Request): string {
  if (method !== 'eth_sendRawTransactionSync')
    return JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: `not here: ${method}` } });
  const hash = keccakHex(Buffer.from(params[0]!.slice(2), 'hex'));
  return JSON.stringify({ jsonrpc: '2.0', id, result: { transaction_hash: hash, transactionHash: hash, ...fields } });
}

const app = library.App().post('/*', (response) => {
  const chunks: Buffer[] = [];
  response.onAborted(() => undefined);
  response.onData((chunk, isLast) => {
    // The chunk is gone after this turn.
    chunks.push(Buffer.from(chunk.slice(0)));
    if (!isLast) return;
    response.writeHeader('content-type', 'application/json');
    response.end(answer(JSON.parse(Buffer.concat(chunks).toString()) as Request));
  });
});
serveParent(library, app);
