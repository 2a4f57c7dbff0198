import type { KeyAlgorithm } from '@rubrica/pki';
import type { StackInfo } from '@rubrica/stack';
import { createClaimClient, pollFor, type startPartner } from '@rubrica/testkit';
import { person } from '../choices.ts';
import { signInAdministrator } from './operator.ts';

type Partner = Awaited<ReturnType<typeof startPartner>>;

/** Data that a subscriber or a partner has at the end. */
export interface Issued {
  readonly name: string;
  readonly key: KeyAlgorithm;
  readonly p12: Buffer;
  readonly password: string;
  readonly serialNumber: string;
  readonly isGood: boolean;
}

const applicant = {
  identificationNumber: person.identificationNumber,
  applicantName: person.givenNames,
  applicantLastName: person.firstSurname,
  applicantSecondLastName: person.secondSurname,
};

/** Obtains the file from the partner's webhook, with the partner's password. */
export async function byWebhook(
  partner: Partner,
  { key }: { key: KeyAlgorithm },
): Promise<Omit<Issued, 'name' | 'isGood'>> {
  const { sent, answer } = await partner.register(applicant);
  if (answer.status !== 200) throw new Error(`not registered (${answer.status}): ${answer.text}`);
  const { body } = await partner.event(sent.referenceTransaction, 'certificate.issued', 120_000);
  const { file, password, serialNumber } = body as Record<string, string>;
  return {
    key,
    p12: Buffer.from(file ?? '', 'base64'),
    password: password ?? '',
    serialNumber: serialNumber ?? '',
  };
}

/** Obtains the file as its subscriber downloads it, with the subscriber's own password. */
export async function byClaim(
  partner: Partner,
  { mailUrl }: StackInfo,
): Promise<Omit<Issued, 'name' | 'isGood'>> {
  const [email, cellphoneNumber] = ['maria.nunez@correo.example', '+593998765432'];
  const to = { email, cellphoneNumber, password: undefined };
  const { sent, answer } = await partner.register({ ...applicant, ...to });
  if (answer.status !== 200) throw new Error(`not registered (${answer.status}): ${answer.text}`);
  const link = await pollFor(
    async () => {
      const mails = await fetch(`${mailUrl}/messages?${new URLSearchParams({ to: email })}`);
      const [newest] = (await mails.json()) as { text: string }[];
      return /https?:\/\/\S+\/claim\/[A-Za-z0-9_-]+/.exec(newest?.text ?? '')?.[0];
    },
    { deadlineMs: 120_000, what: 'the mail with the claim link' },
  );
  const client = createClaimClient({ link });
  await client.sendCode();
  const code = await client.readCode(mailUrl, cellphoneNumber);
  const password = 'Condor de los Andes 7';
  const claimed = await client.claim({ code, password });
  if (claimed.status !== 200) throw new Error(`not claimed (${claimed.status}): ${claimed.html}`);
  const { body } = await partner.event(sent.referenceTransaction, 'certificate.issued', 120_000);
  await client.awaitDownload(120_000);
  await client.sendCode();
  const p12 = await pollFor(
    async () => {
      const fresh = await client.readCode(mailUrl, cellphoneNumber);
      return fresh === code ? undefined : client.download(fresh);
    },
    { deadlineMs: 60_000, what: 'a further code' },
  );
  return {
    key: 'RSA_2048',
    p12,
    password,
    serialNumber: String((body as Record<string, unknown>).serialNumber),
  };
}

/** Gives every further certificate of the sandbox's partner a P-256 key. */
export async function chooseP256(info: StackInfo): Promise<void> {
  const administrator = await signInAdministrator(info);
  const { items } = await administrator.ask('partners.list', {});
  const partners = items as { id: string; clientId: string }[];
  const id = partners.find(({ clientId }) => clientId === info.partners.sandbox.clientId)?.id;
  await administrator.change('partners.update', { id, keyType: 'EC-P256' });
}
