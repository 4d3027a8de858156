import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Icon, type IconName } from './icons.tsx';

interface ButtonProps {
  readonly onClick?: () => void;
  readonly tone?: 'normal' | 'primary' | 'buy' | 'sell' | 'plain';
  readonly size?: 'normal' | 'small';
  readonly type?: 'button' | 'submit';
  readonly disabled?: boolean;
  readonly title?: string;
  readonly children: ComponentChildren;
}

/** A button with words; it sends no form unless its type says so. */
export const Button = ({
  onClick,
  tone = 'normal',
  size = 'normal',
  type = 'button',
  disabled = false,
  title,
  children,
}: ButtonProps): JSX.Element => (
  <button type={type} class={`button ${tone} ${size}`} onClick={onClick} disabled={disabled} title={title}>
    {children}
  </button>
);

interface IconButtonProps {
  readonly icon: IconName;
  /** What it does, for those who do not see the drawing. */
  readonly label: string;
  readonly onClick: () => void;
  readonly size?: 'normal' | 'small';
}

/** A button with a picture; its label is for screen readers and as a hint. */
export const IconButton = ({ icon, label, onClick, size = 'normal' }: IconButtonProps): JSX.Element => (
  <button type="button" class={`button plain icon ${size}`} onClick={onClick} aria-label={label} title={label}>
    <Icon name={icon} />
  </button>
);

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  /** Help, below the input. */
  readonly hint?: string | undefined;
  /** What is wrong; takes the place of the hint. */
  readonly problem?: string | null | undefined;
  readonly placeholder?: string | undefined;
  readonly inputMode?: 'text' | 'decimal' | 'url' | undefined;
}

/** What an input of a field is given, and what stands around it. @param hintRole how a screen reader takes the hint */
function useField({ label, onInput, hint, problem, ...rest }: FieldProps, hintRole?: 'status') {
  const id = useId();
  const input = {
    ...rest,
    id,
    class: 'input',
    spellcheck: false,
    autocomplete: 'off',
    'aria-invalid': problem != null,
    'aria-describedby': `${id}-hint`,
    onInput: (event: { readonly currentTarget: { readonly value: string } }) => onInput(event.currentTarget.value),
  } as const;
  const around = (element: JSX.Element): JSX.Element => (
    <div class="field">
      <label for={id}>{label}</label>
      {element}
      <div id={`${id}-hint`} class={problem == null ? 'hint' : 'hint bad'} role={hintRole}>
        {problem ?? hint}
      </div>
    </div>
  );
  return { input, around };
}

/** A text input with its name and a line of help, whose place stays. */
export function Field(props: FieldProps): JSX.Element {
  const { input, around } = useField(props);
  return around(<input {...input} />);
}

/** The same for text of several lines. */
export function TextField(props: FieldProps & { readonly class: string; readonly rows: number }): JSX.Element {
  const { input, around } = useField(props, 'status');
  return around(<textarea {...input} class={`input ${props.class}`} />);
}

/** What a form does in place of loading another page. */
export const submitting =
  (act: () => void) =>
  (event: Event): void => {
    event.preventDefault();
    act();
  };

interface SelectProps<value extends string> {
  /** What is chosen, for screen readers. */
  readonly label?: string;
  readonly id?: string;
  readonly class?: string;
  readonly title?: string;
  readonly value: value | '';
  readonly options: readonly { readonly value: value | ''; readonly text: string }[];
  readonly onChoose: (value: value) => void;
}

/** One of several, in a list that opens. */
export const Select = <value extends string>({
  label,
  class: look = 'select',
  options,
  onChoose,
  ...rest
}: SelectProps<value>): JSX.Element => (
  <select {...rest} class={look} aria-label={label} onChange={(event) => onChoose(event.currentTarget.value as value)}>
    {options.map(({ value, text }) => (
      <option key={value} value={value}>
        {text}
      </option>
    ))}
  </select>
);

interface Tab {
  readonly title: string;
  /** How many there are; left out while that is not known. */
  readonly count?: number | undefined;
  /** Its content, drawn while it is selected. */
  readonly show: () => ComponentChildren;
}

interface TabsProps {
  /** What they choose among, for screen readers. */
  readonly label: string;
  readonly tabs: readonly Tab[];
  /** Title of the one that is shown until somebody chooses; by itself the first of all. */
  readonly first?: string;
}

/** Parts of which one is shown; arrow keys go from tab to tab. */
export function Tabs({ label, tabs, first }: TabsProps): JSX.Element {
  const base = useId();
  const [chosen, choose] = useState<string | undefined>(undefined);
  const at = Math.max(
    0,
    tabs.findIndex(({ title }) => title === (chosen ?? first)),
  );
  const move = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    const index = (at + step + tabs.length) % tabs.length;
    choose(tabs[index]!.title);
    document.getElementById(`${base}-${index}`)?.focus();
  };
  return (
    <div>
      <div class="tabs" role="tablist" aria-label={label} onKeyDown={move}>
        {tabs.map(({ title, count }, index) => (
          <button
            key={title}
            id={`${base}-${index}`}
            type="button"
            role="tab"
            aria-selected={index === at}
            aria-controls={`${base}-panel`}
            tabIndex={index === at ? 0 : -1}
            onClick={() => choose(title)}
          >
            {title}
            {count !== undefined && <span class="count">{count}</span>}
          </button>
        ))}
      </div>
      <div id={`${base}-panel`} role="tabpanel" aria-labelledby={`${base}-${at}`}>
        {tabs[at]?.show()}
      </div>
    </div>
  );
}

interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A window above the page, which keeps the focus and closes with Escape. */
export function Dialog({ title, isOpen, onClose, children }: DialogProps): JSX.Element {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    if (isOpen && element.current?.open === false) element.current.showModal();
    if (!isOpen) element.current?.close();
  }, [isOpen]);
  return (
    <dialog ref={element} class="dialog" aria-labelledby={id} onClose={onClose}>
      <h2 id={id}>{title}</h2>
      {isOpen && children}
    </dialog>
  );
}
