import { getOpenRpc } from '@prime/sdk';
import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useNode } from '../../app/context.ts';
import { useResource } from '../../app/useResource.ts';
import {
  Badge,
  Button,
  Card,
  CopyButton,
  Empty,
  Field,
  formatDuration,
  Known,
  orPlace,
  TextField,
} from '../../kit/index.ts';
import { curlOf, findMethods, type MethodEntry, methodsOf, parseParams } from './openRpc.ts';

const firstMethod = 'prime_consensusStatus';

/** Any method of the node, with what it is for, its examples, and what it answers here. */
export function TryMethod(): JSX.Element {
  const found = useResource('openrpc', async ({ client }) => methodsOf(await getOpenRpc(client.sdk)));
  const [chosen, choose] = useState(firstMethod);
  const methods = found.value;
  const method = methods?.find(({ name }) => name === chosen) ?? methods?.[0];
  return (
    <Card
      title="Try a method"
      aside={methods !== null && <span class="faint quiet">{methods.length} methods, as this node describes them</span>}
      flush
    >
      <Known what="The interface of this node" of={found}>
        <div class="try">
          <MethodList methods={methods} chosen={method?.name ?? ''} onChoose={choose} />
          <div class="try-method">
            {orPlace(method, '30ch', (known) => (
              <Method key={known.name} method={known} />
            ))}
          </div>
        </div>
      </Known>
    </Card>
  );
}

interface MethodListProps {
  /** null while they are being read. */
  readonly methods: readonly MethodEntry[] | null;
  readonly chosen: string;
  readonly onChoose: (name: string) => void;
}

function MethodList({ methods, chosen, onChoose }: MethodListProps): JSX.Element {
  const [text, setText] = useState('');
  const shown = useMemo(() => findMethods(methods ?? [], text), [methods, text]);
  const list = useRef<HTMLUListElement>(null);
  // The chosen one is seen when the list comes; after that people scroll it themselves.
  useEffect(() => {
    const entry = list.current?.querySelector<HTMLElement>('[aria-current="true"]');
    if (list.current && entry) list.current.scrollTop = entry.offsetTop - list.current.clientHeight / 2;
  }, [methods]);
  return (
    <div class="try-list">
      <Field label="Find a method" value={text} onInput={setText} placeholder="name, or what it is for" />
      <ul ref={list} aria-label="Methods">
        {shown.map(({ name }) => (
          <li key={name}>
            <button type="button" class="mono" aria-current={name === chosen} onClick={() => onChoose(name)}>
              {name}
            </button>
          </li>
        ))}
        {methods !== null && shown.length === 0 && <li class="faint">No method is about that.</li>}
      </ul>
    </div>
  );
}

/** Text with code between backticks. */
const Prose = ({ text }: { readonly text: string }): JSX.Element => (
  <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>
);

interface Answer {
  readonly text: string;
  readonly isError: boolean;
  readonly tookMs: number;
}

/** Letters of an answer that are shown: a block may have megabytes. */
const answerLettersMax = 200_000;

function textOf(value: unknown): string {
  const text = JSON.stringify(value, null, 2) ?? 'undefined';
  return text.length > answerLettersMax ? `${text.slice(0, answerLettersMax)}\n… and more` : text;
}

function failureOf(error: unknown): string {
  const { message, code, data } = (error ?? {}) as { message?: unknown; code?: unknown; data?: unknown };
  return textOf({ code, message: typeof message === 'string' ? message : String(error), data });
}

function Params({ params }: Pick<MethodEntry, 'params'>): JSX.Element | null {
  if (params.length === 0) return null;
  return (
    <dl class="try-params">
      {params.map((param) => (
        <div key={param.name}>
          <dt class="mono">
            {param.name}
            {!param.isRequired && <span class="faint"> optional</span>}
          </dt>
          <dd class="muted">
            <Prose text={param.description} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Method({ method: { name, summary, params, examples } }: { readonly method: MethodEntry }): JSX.Element {
  const { client, url } = useNode();
  const [text, setText] = useState(examples[0]?.params ?? '[]');
  const [answer, setAnswer] = useState<Answer | 'asking' | null>(null);
  const parsed = parseParams(text);
  const problem = typeof parsed === 'string' ? parsed : null;
  const send = (): void => {
    if (typeof parsed === 'string') return;
    setAnswer('asking');
    const sinceMs = performance.now();
    const take = (shown: string, isError: boolean): void =>
      setAnswer({ text: shown, isError, tookMs: performance.now() - sinceMs });
    client.request({ method: name, params: parsed }).then(
      (result) => take(textOf(result), false),
      (error: unknown) => take(failureOf(error), true),
    );
  };
  return (
    <>
      <h3 class="mono">{name}</h3>
      <p class="muted">
        <Prose text={summary} />
      </p>
      <Params params={params} />
      <TextField
        label="Parameters, JSON"
        class="mono"
        rows={Math.min(14, Math.max(4, text.split('\n').length))}
        value={text}
        onInput={setText}
        hint="Addresses and hashes of examples are made up: put your own in their place."
        problem={problem}
      />
      <div class="row">
        <Button tone="primary" onClick={send} disabled={problem !== null || answer === 'asking'}>
          Send
        </Button>
        {examples.map((example) => (
          <Button key={example.name} size="small" onClick={() => setText(example.params)}>
            {example.name}
          </Button>
        ))}
        {problem === null && (
          <span class="copied faint quiet">
            as curl <CopyButton value={curlOf(url, name, parsed as readonly unknown[])} />
          </span>
        )}
      </div>
      <Result answer={answer} />
    </>
  );
}

function Result({ answer }: { readonly answer: Answer | 'asking' | null }): JSX.Element {
  const isThere = answer !== null && answer !== 'asking';
  return (
    <div class="try-result" role="status" aria-label="Answer">
      <div class="row">
        {isThere && <Badge tone={answer.isError ? 'bad' : 'good'}>{answer.isError ? 'error' : 'result'}</Badge>}
        {isThere && <span class="faint number quiet">{formatDuration(answer.tookMs)}</span>}
        {isThere && <CopyButton value={answer.text} />}
      </div>
      {isThere ? (
        // Focus lets the keyboard scroll it.
        <pre class="raw" role="region" aria-label="Text of the answer" tabIndex={0}>
          {answer.text}
        </pre>
      ) : (
        <Empty title={answer === null ? 'Nothing was sent yet' : 'Waiting for the node'} />
      )}
    </div>
  );
}
