import { Type } from '@sinclair/typebox';
import { defineMethod, type MethodDefinition } from '../../define.ts';
import { openRpcDocument } from '../../document/openRpc.ts';

/** @param definitions all methods but this one, which adds itself */
export function discoverMethod(definitions: readonly MethodDefinition[]): MethodDefinition {
  const discover: MethodDefinition = defineMethod({
    name: 'rpc.discover',
    summary: 'This interface as an OpenRPC document: every method with its parameters, result, errors and examples.',
    params: [],
    result: Type.Object(
      {
        openrpc: Type.String(),
        info: Type.Object({ title: Type.String(), version: Type.String() }, { additionalProperties: true }),
        methods: Type.Array(Type.Object({ name: Type.String() }, { additionalProperties: true })),
      },
      { title: 'OpenRPC', additionalProperties: true },
    ),
    privacy: 'public',
    examples: [
      {
        params: [],
        result: {
          openrpc: '1.3.2',
          info: { title: 'Prime JSON-RPC', version: '0.1.0', description: '…' },
          methods: [{ name: 'eth_blockNumber', summary: '…', params: [], result: {} }],
        },
      },
    ],
    handler: async ({ info }) => openRpcDocument([...definitions, discover], versionOf(info.clientVersion)),
  });
  return discover;
}

/** Of `<name>/<version>`. */
const versionOf = (clientVersion: string): string => clientVersion.split('/')[1] ?? clientVersion;
