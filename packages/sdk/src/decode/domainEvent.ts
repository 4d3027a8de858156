import { AnswerUnreadableError } from '../errors/own.ts';
import type { RpcDomainEvent } from '../generated/methods.ts';
import type { DomainEventOf } from '../streams/domainEvents.ts';
import { isStreamError } from '../streams/errors.ts';
import { readEvents } from '../streams/wire/events.ts';

/** Events of an answer, read as those of streams are. @throws AnswerUnreadableError that names the field */
export function decodeDomainEvents(wire: readonly RpcDomainEvent[]): readonly DomainEventOf[] {
  try {
    return readEvents(wire);
  } catch (thrown) {
    if (!isStreamError(thrown, 'STREAM_MESSAGE_MALFORMED')) throw thrown;
    throw new AnswerUnreadableError(thrown.detail.what, thrown);
  }
}
