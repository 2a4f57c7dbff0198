import { SMTPServer } from 'smtp-server';
import type { MessageStore } from './store.ts';

const largestMessageBytes = 25 * 1024 * 1024;

/** Accepts mail on loopback from any sender to any recipient, and delivers none of it. */
export function startSmtp(options: {
  port: number;
  store: MessageStore;
}): Promise<{ stop(): Promise<void> }> {
  const server = new SMTPServer({
    banner: 'Rubrica mail catcher',
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    size: largestMessageBytes,
    disableReverseLookup: true,
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.once('end', () => {
        const recipients = session.envelope.rcptTo.map(({ address }) => address);
        storeMail(options.store, Buffer.concat(chunks), recipients);
        done();
      });
    },
  });
  // A client that disconnects does not matter to the catcher.
  server.on('error', () => undefined);
  return new Promise((resolve, reject) => {
    server.server.once('error', reject);
    server.listen(options.port, '127.0.0.1', () =>
      resolve({ stop: () => new Promise((closed) => server.close(closed)) }),
    );
  });
}

/** Stores one record per recipient, as each would find it in their own mailbox. Mail is parsed only on request. */
function storeMail(store: MessageStore, mail: Buffer, recipients: readonly string[]): void {
  const source = mail.toString('latin1');
  for (const to of recipients) store.add({ channel: 'email', to, source });
}
