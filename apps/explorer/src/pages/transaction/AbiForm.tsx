import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Button, Card, formatInteger, submitting, TextField } from '../../kit/index.ts';
import { pastedAbi } from './pastedAbi.ts';
import { useDecoder } from './useDecoder.ts';

/** Takes the ABI of a contract from the reader. */
export function AbiForm(): JSX.Element {
  const decoder = useDecoder();
  const [text, setText] = useState(pastedAbi.value?.text ?? '');
  const [problem, setProblem] = useState<string | null>(null);
  const used = pastedAbi.value;
  const submit = (): void => {
    if (decoder === null) return;
    const abi = decoder.parsePasted(text);
    setProblem(typeof abi === 'string' ? abi : null);
    if (typeof abi !== 'string') pastedAbi.value = { text, abi };
  };
  const forget = (): void => {
    setText('');
    setProblem(null);
    pastedAbi.value = null;
  };
  const hint =
    used === null
      ? 'It stays in this window and is sent to nobody.'
      : `Calls, logs and errors are read with it (entries: ${formatInteger(used.abi.length)}) until the window is closed.`;
  return (
    <Card title="Read it with an ABI">
      <form class="stack" onSubmit={submitting(submit)}>
        <TextField
          label="ABI of the contract: JSON, or one signature on each line"
          class="abi-text"
          rows={4}
          placeholder="function transfer(address to, uint256 amount)"
          value={text}
          onInput={setText}
          hint={hint}
          problem={problem}
        />
        <div class="row">
          <Button type="submit" disabled={text.trim() === '' || decoder === null}>
            Read with it
          </Button>
          {used !== null && (
            <Button tone="plain" onClick={forget}>
              Forget it
            </Button>
          )}
        </div>
      </form>
    </Card>
  );
}
