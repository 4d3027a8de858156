import type { RegisteredValidator } from '@prime/sdk';
import { explainJailing, readJailing } from '@prime/sdk/explain';
import type { JSX } from 'preact';
import { useResource } from '../../app/useResource.ts';
import { Card, Known } from '../../kit/index.ts';
import { Why } from '../validators/Why.tsx';

/** Why it is not in the set, and when it may come back. */
export function Jailed({ validator }: { readonly validator: RegisteredValidator }): JSX.Element {
  const { address, status, jailedUntilMs, stake } = validator;
  const key = `${address} ${status} ${jailedUntilMs} ${stake}`;
  const why = useResource(key, async ({ client }) => explainJailing(await readJailing(client.sdk, validator)));
  return (
    <Card title="Why it is not in the set">
      <Known what="Why it is jailed" of={why}>
        <Why why={why.value} />
      </Known>
    </Card>
  );
}
