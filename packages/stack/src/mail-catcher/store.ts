import { randomUUID } from 'node:crypto';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';

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

export interface MessageStore {
  /** @param message its id is made here where its sender gave none */
  add(message: Omit<CaughtMessage, 'id' | 'date'> & { id?: string }): CaughtMessage;
  /** Newest first; only those to one address or number when given. */
  list(to?: string): CaughtMessage[];
  find(id: string): CaughtMessage | undefined;
}

const mostMessages = 2_000;

/** Kept in memory and, line by line, in a file, so that mail survives a restart of the stack. */
export function openMessageStore(file: string, now: () => Date = () => new Date()): MessageStore {
  const messages = readMessages(file).slice(-mostMessages);
  // Rewriting on each start keeps the file from growing without limit and drops a line that a crash cut short.
  writeFileSync(file, messages.map(toLine).join(''), { mode: 0o600 });
  return {
    add(message) {
      const caught = { id: randomUUID(), ...message, date: now().toISOString() };
      appendFileSync(file, toLine(caught));
      messages.push(caught);
      if (messages.length > mostMessages) messages.shift();
      return caught;
    },
    list(to) {
      const wanted = to?.trim().toLowerCase();
      const chosen = wanted ? messages.filter((message) => message.to.toLowerCase() === wanted) : messages;
      return chosen.toReversed();
    },
    find: (id) => messages.find((message) => message.id === id),
  };
}

function toLine(message: CaughtMessage) {
  return `${JSON.stringify(message)}\n`;
}

function readMessages(file: string): CaughtMessage[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return [];
  }
  return text.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line) as CaughtMessage];
    } catch {
      return [];
    }
  });
}
