import { Type } from '@sinclair/typebox';
import { toQuantity } from '@prime/primitives';
import { defineMethod } from '../../define.ts';
import { addressResult, orNull, quantityResult } from '../../schema/resultSchemas.ts';
import { sample } from '../../schema/samples.ts';

const quantityOrNull = (value: number | null) => (value === null ? null : toQuantity(value));

/** Shows whether enough validators know the next upgrade. */
export const network = defineMethod({
  name: 'prime_network',
  summary:
    'What this node knows of the network: the version of the rules and the next upgrade, each validator of the set with its newest block and the version that it knows, and the other nodes that are connected. Of no node an address is told, and of nodes that operators hide nothing.',
  params: [],
  result: Type.Object(
    {
      protocol: Type.Object({
        version: quantityResult,
        known_version: quantityResult,
        next: orNull(
          Type.Object({
            version: quantityResult,
            height: quantityResult,
            known: Type.Boolean(),
            ready_power: quantityResult,
            total_power: quantityResult,
          }),
        ),
      }),
      validators: Type.Array(
        Type.Object({
          address: addressResult,
          moniker: Type.String(),
          voting_power: quantityResult,
          present: Type.Boolean(),
          head: orNull(quantityResult),
          known_version: orNull(quantityResult),
        }),
      ),
      others: Type.Array(
        Type.Object({ role: Type.String(), head: quantityResult, known_version: orNull(quantityResult) }),
      ),
    },
    { title: 'Network' },
  ),
  privacy: 'public',
  examples: [
    {
      params: [],
      result: {
        protocol: { version: '0x1', known_version: '0x1', next: null },
        validators: [
          {
            address: sample.address,
            moniker: 'validator0',
            voting_power: '0x1',
            present: true,
            head: sample.height,
            known_version: '0x1',
          },
        ],
        others: [],
      },
    },
  ],
  handler: async ({ ports }) => {
    const { protocol, validators, others } = await ports.network.nodes();
    const { next } = protocol;
    return {
      protocol: {
        version: toQuantity(protocol.version),
        known_version: toQuantity(protocol.known),
        next: next && {
          version: toQuantity(next.version),
          height: toQuantity(next.height),
          known: next.known,
          ready_power: toQuantity(next.readyPower),
          total_power: toQuantity(next.totalPower),
        },
      },
      validators: validators.map(({ address, moniker, power, isPresent, head, known }) => ({
        address,
        moniker,
        voting_power: toQuantity(power),
        present: isPresent,
        head: quantityOrNull(head),
        known_version: quantityOrNull(known),
      })),
      others: others.map(({ role, head, known }) => ({
        role,
        head: toQuantity(head),
        known_version: quantityOrNull(known),
      })),
    };
  },
});
