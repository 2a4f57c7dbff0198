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

/** A mail as it came, an octet a character; an SMS. */
type Arrival =
  | { readonly channel: 'email'; readonly to: string; readonly source: string }
  | { readonly channel: 'sms'; readonly to: string; readonly text: string };

/** The release before wrote mails as they are read. */
type Kept = (Arrival & Pick<CaughtMessage, 'id' | 'date'>) | CaughtMessage;

export interface MessageStore {
  /** @param arrival its id is made here where its sender gave none */
  add(arrival: Arrival & { id?: string }): Pick<CaughtMessage, 'id'>;
  /** Newest first; only those to one address or number when given. */
  list(to?: string): Promise<CaughtMessage[]>;
  has(id: string): boolean;
}

const mostMessages = 2_000;

/**
 * Kept in memory and, line by line, in a file, so that mail survives a restart of the stack. A mail is read when it is first asked
 * for: thousands of reminders are not, and reading them would take more than all else here.
 */
export function openMessageStore(file: string, now: () => Date = () => new Date()): MessageStore {
  const messages = readMessages(file).slice(-mostMessages);
  const read = new WeakMap<Kept, Promise<CaughtMessage>>();
  const reading = (kept: Kept) => {
    const known = read.get(kept) ?? open(kept);
    read.set(kept, known);
    return known;
  };
  // Rewriting on each start keeps the file from growing without limit and drops a line that a crash cut short.
  writeFileSync(file, messages.map(toLine).join(''), { mode: 0o600 });
  return {
    add(arrival) {
      const kept = { id: randomUUID(), ...arrival, date: now().toISOString() };
      appendFileSync(file, toLine(kept));
      messages.push(kept);
      if (messages.length > mostMessages) messages.shift();
      return kept;
    },
    list(to) {
      const wanted = to?.trim().toLowerCase();
      const chosen = wanted ? messages.filter((message) => message.to.toLowerCase() === wanted) : messages;
      return Promise.all(chosen.toReversed().map(reading));
    },
    has: (id) => messages.some((message) => message.id === id),
  };
}

async function open(kept: Kept): Promise<CaughtMessage> {
  if (!('source' in kept)) return { subject: null, html: null, ...kept };
  const { id, channel, to, date, source } = kept;
  return { id, channel, to, ...(await readMail(source)), date };
}

function toLine(message: Kept) {
  return `${JSON.stringify(message)}\n`;
}

function readMessages(file: string): Kept[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return [];
  }
  return text.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line) as Kept];
    } catch {
      return [];
    }
  });
}
