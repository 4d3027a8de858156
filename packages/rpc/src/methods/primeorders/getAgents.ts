import { agentPermission } from '@prime/codec';
import { Type } from '@sinclair/typebox';
import { toQuantity } from '@prime/primitives';
import { defineMethod, required } from '../../define.ts';
import type { AgentInfo } from '../../ports/ports.ts';
import { addressResult, quantityResult } from '../../schema/resultSchemas.ts';
import { sample } from '../../schema/samples.ts';
import { address } from '../../schema/valueTypes.ts';

/** @param nowMs time of the head: what decides is the time of the block that an action gets into */
function statusOf({ revoked, expiry }: AgentInfo, nowMs: number): 'live' | 'expired' | 'revoked' {
  if (revoked) return 'revoked';
  return expiry !== 0 && expiry <= nowMs ? 'expired' : 'live';
}

/** What `approveAgent` actions made of the account. */
export const getAgents = defineMethod({
  name: 'primeorders_getAgents',
  summary:
    'The keys that may sign actions for an account, and those that it revoked, which can never be approved again; by address. expires_at is block time in ms, 0x0 is never.',
  params: [required('address', address)],
  result: Type.Array(
    Type.Object({
      agent: addressResult,
      name: Type.String(),
      permissions: Type.Array(Type.Union(Object.keys(agentPermission).map((name) => Type.Literal(name)))),
      expires_at: quantityResult,
      status: Type.Union(['live', 'expired', 'revoked'].map((status) => Type.Literal(status))),
    }),
  ),
  privacy: 'operatorAfterFork',
  examples: [
    { params: [sample.otherAddress], result: [] },
    {
      params: [sample.address],
      result: [
        {
          agent: sample.otherAddress,
          name: 'desk',
          permissions: ['trade', 'cancel'],
          expires_at: '0x0',
          status: 'live',
        },
      ],
      situation: 'of an account that approved one',
    },
  ],
  handler: async ({ ports }, account) => {
    const [agents, head] = await Promise.all([ports.books.agents(account), ports.chain.head()]);
    const { timestampMs } = head.block.header;
    return agents.map((agent) => ({
      agent: agent.agent,
      name: agent.name,
      permissions: Object.entries(agentPermission)
        .filter(([, bit]) => (agent.permissions & bit) !== 0)
        .map(([name]) => name),
      expires_at: toQuantity(agent.expiry),
      status: statusOf(agent, timestampMs),
    }));
  },
});
