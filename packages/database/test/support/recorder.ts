import type { OutboxMessage, Publish } from '../../src/relay/index.ts';

export interface Recorder {
  readonly publish: Publish;
  readonly messages: OutboxMessage[];
  ids(): string[];
  /** From now on publishing fails for messages that match. */
  refuse(matches: (message: OutboxMessage) => boolean): void;
  accept(): void;
}

/** Stands for JetStream: keeps what it is given, knows an id it has seen, and can be out of order. */
export function recorder(): Recorder {
  const messages: OutboxMessage[] = [];
  let refuses: (message: OutboxMessage) => boolean = () => false;
  return {
    messages,
    ids: () => messages.map(({ id }) => id),
    refuse(matches) {
      refuses = matches;
    },
    accept() {
      refuses = () => false;
    },
    async publish(message) {
      if (refuses(message)) throw new Error('stream is full');
      const duplicate = messages.some(({ id }) => id === message.id);
      messages.push(message);
      return { duplicate };
    },
  };
}
