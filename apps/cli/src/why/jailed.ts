import { amountText, explainJailing, formatInteger, readJailing } from '@prime/sdk/explain';
import type { Connection } from '../client/connect.ts';
import { validatorNamed } from './names.ts';
import type { Answer } from './tell.ts';

/** Why a validator is not in the set. @throws CliError as {@link validatorNamed} */
export async function whyJailed(connection: Connection, named: string): Promise<Answer> {
  const { client } = connection;
  const [registered, members] = await Promise.all([client.getRegisteredValidators(), client.getValidators()]);
  if (registered.length === 0) return notOnThisNetwork(connection, validatorNamed(members, named).moniker);
  const validator = validatorNamed(registered, named);
  const facts = await readJailing(client, validator, { countsSigned: true });
  const { jailing } = facts;
  return {
    explanation: explainJailing(facts),
    figures: [
      ['validator', `${validator.moniker}, ${validator.address}`],
      ['status', `${validator.status}${validator.tombstoned ? ', may never come back' : ''}`],
      ['stake', amountText(validator.stake)],
      ...(jailing === null ? [] : [['since block', formatInteger(jailing.block)] as const]),
    ],
    facts,
  };
}

function notOnThisNetwork({ urls }: Connection, moniker: string): Answer {
  const text = 'The validators of this network are those of genesis and never change: nobody is jailed here.';
  return {
    explanation: { tone: 'good', title: `${moniker} is not jailed`, text },
    figures: [['asked', urls.join(', ')]],
    facts: { moniker },
  };
}
