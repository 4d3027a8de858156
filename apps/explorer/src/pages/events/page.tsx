import './eventsPage.css';
import type { DomainEventKind, EventDomain } from '@prime/sdk';
import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import { useHeld, useNode } from '../../app/context.ts';
import { useMarkets } from '../../app/useMarkets.ts';
import { eventKinds } from '../../chain/event.ts';
import { EventFeedList, useEventFeed } from '../../chain/EventFeed.tsx';
import { Badge, Button, Card, Empty, Field, formatInteger, PageHead, Select, wordsOf } from '../../kit/index.ts';
import type { EventFeed } from '../../live/eventFeed.ts';
import type { EventSelection } from '../../live/eventPages.ts';
import { isAddress } from '../../router/routes.ts';

/** What somebody chose to see; empty is all. */
interface Choice {
  readonly domain: EventDomain | '';
  readonly kind: DomainEventKind | '';
  readonly market: string;
  readonly account: string;
}

const everything: Choice = { domain: '', kind: '', market: '', account: '' };

const isAll = (choice: Choice): boolean => Object.values(choice).every((value) => value === '');

function selectionOf({ domain, kind, market, account }: Choice): EventSelection {
  const address = account.trim().toLowerCase();
  return {
    ...(domain === '' ? {} : { domain }),
    ...(kind === '' ? {} : { kind }),
    ...(market === '' ? {} : { marketId: Number(market) }),
    ...(isAddress(address) ? { address } : {}),
  };
}

/** Everything that happens on the chain besides logs, as it happens. */
export function Page(): JSX.Element {
  const node = useNode();
  useHeld(node.markets);
  const [choice, setChoice] = useState<Choice>(everything);
  const feed = useEventFeed(selectionOf(choice));
  return (
    <div class="stack">
      <PageHead title="Events" kind="What blocks do to the exchange, the bridge and the validators">
        {feed !== null && <Pause feed={feed} />}
      </PageHead>
      <Card>
        <Filters choice={choice} onChoose={setChoice} />
      </Card>
      <Card flush>
        <EventFeedList
          label="Events"
          feed={feed}
          expected={20}
          empty={
            <Empty title="Nothing of this kind happened">
              {isAll(choice) ? 'The first event appears here within a block.' : 'Choose more, or wait for it.'}
            </Empty>
          }
        />
      </Card>
    </div>
  );
}

/** Holds the list still, to be read. */
function Pause({ feed }: { readonly feed: EventFeed }): JSX.Element {
  const isPaused = feed.isPaused.value;
  const waiting = feed.waiting.value;
  return (
    <>
      <span role="status">
        {isPaused ? (
          <Badge tone="warn">{waiting === 0 ? 'paused' : `paused, ${formatInteger(waiting)} new`}</Badge>
        ) : (
          <Badge tone="good">live</Badge>
        )}
      </span>
      <Button size="small" onClick={() => feed.pause(!isPaused)}>
        {isPaused ? 'Go on' : 'Pause'}
      </Button>
    </>
  );
}

interface FiltersProps {
  readonly choice: Choice;
  readonly onChoose: (choice: Choice) => void;
}

const domains = [
  { value: 'orders', text: 'exchange' },
  { value: 'bridge', text: 'bridge' },
  { value: 'validators', text: 'validators' },
] as const;

function Filters({ choice, onChoose }: FiltersProps): JSX.Element {
  const markets = [...useMarkets().values()];
  const account = choice.account.trim().toLowerCase();
  const isWrong = account !== '' && !isAddress(account);
  const choose = (more: Partial<Choice>): void => onChoose({ ...choice, ...more });
  return (
    <div class="filters">
      <Filter label="Part" value={choice.domain} options={domains} onChoose={(domain) => choose({ domain })} />
      <Filter
        label="Kind"
        value={choice.kind}
        options={eventKinds.map((kind) => ({ value: kind, text: wordsOf(kind) }))}
        onChoose={(kind) => choose({ kind })}
      />
      <Filter
        label="Market"
        value={choice.market}
        options={markets.map(({ marketId, symbol }) => ({ value: String(marketId), text: symbol }))}
        onChoose={(market) => choose({ market })}
      />
      <Field
        label="Account"
        value={choice.account}
        onInput={(text) => choose({ account: text })}
        placeholder="0x…"
        hint={account === '' ? 'Events that name it' : ''}
        problem={isWrong ? 'An account is 0x and 40 hex digits; until then all are shown.' : null}
      />
      <div class="clear">
        <Button tone="plain" onClick={() => onChoose(everything)} disabled={isAll(choice)}>
          Show all
        </Button>
      </div>
    </div>
  );
}

interface FilterProps<value extends string> {
  readonly label: string;
  readonly value: value | '';
  readonly options: readonly { readonly value: value; readonly text: string }[];
  readonly onChoose: (value: value | '') => void;
}

function Filter<value extends string>({ label, options, ...rest }: FilterProps<value>): JSX.Element {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <Select id={id} class="input" options={[{ value: '', text: 'all' }, ...options]} {...rest} />
    </div>
  );
}
