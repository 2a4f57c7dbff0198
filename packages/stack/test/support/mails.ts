import { join } from 'node:path';
import { pollFor, scratchDirectory } from '@rubrica/testkit';
import { freePort } from '@rubrica/testkit/processes';
import { startSmtp } from '../../src/mail-catcher/smtp.ts';
import { openMessageStore } from '../../src/mail-catcher/store.ts';

export interface Mails {
  readonly settings: Record<string, string>;
  /** What stands behind the `#` of the link that was mailed to this address. */
  tokenFor(to: string): Promise<string>;
}

/** The mail server of the deployment. */
export async function startMails(owned: AsyncDisposableStack): Promise<Mails> {
  const { path } = owned.use(await scratchDirectory('mails'));
  const store = openMessageStore(join(path, 'messages.jsonl'));
  const port = await freePort();
  const smtp = await startSmtp({ port, store });
  owned.defer(smtp.stop);
  const found = async (to: string) => {
    const mails = await store.list(to);
    return mails.flatMap(({ text }) => /\/invitation#([\w-]+)/.exec(text)?.[1] ?? []).at(0);
  };
  return {
    // By its name: an address of loopback would become the container's.
    settings: { SMTP_URL: `smtp://localhost:${port}`, MAIL_FROM: 'Rubrica <no-reply@example.com>' },
    tokenFor: (to) => pollFor(() => found(to), { what: `a link is mailed to ${to}` }),
  };
}
