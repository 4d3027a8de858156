import type { JSX } from 'preact';
import { useHref } from '../../app/context.ts';
import { Card, Empty, PageHead } from '../../kit/index.ts';
import type { PageProps } from '../props.ts';

/** Says what is wrong with an address, and where to go instead. */
export function Page({ route }: PageProps<'unknown'>): JSX.Element {
  const href = useHref();
  return (
    <div class="stack">
      <PageHead title="There is no such page" />
      <Card>
        <Empty title={route.reason}>
          The search box above finds blocks, transactions, accounts, markets and validators. The key <code>/</code>{' '}
          takes you there. Or begin at the <a href={href({ page: 'home' })}>overview</a>.
        </Empty>
      </Card>
    </div>
  );
}
