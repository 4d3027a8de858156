import { type Signal, signal } from '@preact/signals';
import type { Side } from '@prime/sdk';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** What somebody has typed into the ticket; other parts of the page fill it in. */
export interface TicketState {
  readonly side: Signal<Side>;
  readonly priceText: Signal<string>;
  readonly sizeText: Signal<string>;
  /** Takes a price that was clicked. */
  price(text: string): void;
}

export function createTicketState(): TicketState {
  const priceText = signal('');
  return {
    side: signal<Side>('buy'),
    priceText,
    sizeText: signal(''),
    price(text) {
      priceText.value = text;
    },
  };
}

const Context = createContext<TicketState | null>(null);
export const TicketProvider = Context.Provider;

/** @throws Error outside of the provider */
export function useTicket(): TicketState {
  const ticket = useContext(Context);
  if (ticket === null) throw new Error('no ticket above this component');
  return ticket;
}
