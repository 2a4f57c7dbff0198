import { randomUUID } from 'node:crypto';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { readMail } from './read-mail.ts';

export interface CaughtMessage {
  readonly id: string;
  readonly channel: 'email' | 'sms';
  readonly to: string;
  readonly subject: string | null;
  readonly text: string;
  readonly html: string | null;
  /** ISO 8601, UTC. */
  readonly date: string;
}

/** A mail as received, one character per octet; or an SMS. */
type Arrival =
  | { readonly channel: 'email'; readonly to: string; readonly source: string }
  | { readonly channel: 'sms'; readonly to: string; readonly text: string };

/** Stored message; the release before stored mails in parsed form. */
type StoredMessage = (Arrival & Pick<CaughtMessage, 'id' | 'date'>) | CaughtMessage;

export interface MessageStore {
  /**
   * Stores a message.
   * @param arrival its id is generated here if its sender gave none
   */
  add(arrival: Arrival & { id?: string }): Pick<CaughtMessage, 'id'>;
  /** Lists messages, newest first; with `to`, only those for one address or number. */
  list(to?: string): Promise<CaughtMessage[]>;
  has(id: string): boolean;
}

const maxMessages = 2_000;

/**
 * Opens a store in memory and, line by line, in a file, so that mail survives a restart of the stack. A mail is parsed
 * on first request. Thousands of reminders are never read, and parsing them would cost more than all other work here.
 */
export function openMessageStore(file: string, now: () => Date = () => new Date()): MessageStore {
  const messages = readMessages(file).slice(-maxMessages);
  const read = new WeakMap<StoredMessage, Promise<CaughtMessage>>();
  const readOnce = (stored: StoredMessage) => {
    const known = read.get(stored) ?? open(stored);
    read.set(stored, known);
    return known;
  };
  // Rewriting on each start limits the file's size and drops a line that a crash truncated.
  writeFileSync(file, messages.map(toLine).join(''), { mode: 0o600 });
  return {
    add(arrival) {
      const stored = { id: randomUUID(), ...arrival, date: now().toISOString() };
      appendFileSync(file, toLine(stored));
      messages.push(stored);
      if (messages.length > maxMessages) messages.shift();
      return stored;
    },
    list(to) {
      const wanted = to?.trim().toLowerCase();
      const chosen = wanted ? messages.filter((message) => message.to.toLowerCase() === wanted) : messages;
      return Promise.all(chosen.toReversed().map(readOnce));
    },
    has: (id) => messages.some((message) => message.id === id),
  };
}

async function open(stored: StoredMessage): Promise<CaughtMessage> {
  if (!('source' in stored)) return { subject: null, html: null, ...stored };
  const { id, channel, to, date, source } = stored;
  return { id, channel, to, ...(await readMail(source)), date };
}

function toLine(message: StoredMessage) {
  return `${JSON.stringify(message)}\n`;
}

function readMessages(file: string): StoredMessage[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return [];
  }
  return text.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line) as StoredMessage];
    } catch {
      return [];
    }
  });
}
