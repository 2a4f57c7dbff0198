import type { StackInfo } from '@rubrica/stack';
import {
  createClaimClient,
  makeEvidence,
  makeJpeg,
  makeLinkedPartnerRequest,
  makePng,
  makeRegularRequest,
  makeSimplifiedRequest,
  makeTransactionalRequest,
  pollFor,
} from '@rubrica/testkit';

/** A kind of request whose space is measured. */
export interface SpaceFamily {
  readonly what: string;
  readonly path: string;
  /** Its applicant claims it by the link in the mail. */
  readonly isClaimed: boolean;
  body(person: Person): Readonly<{ referenceTransaction: string }>;
}

export interface Person {
  readonly callbackUrl: string;
  readonly email: string;
  readonly cellphone: string;
}

const imageBytes = 500_000;
const linkedPartner = (evidenceBytes: number): SpaceFamily => ({
  what: `linked partner, ${evidenceBytes / 1_000} kB of evidence`,
  path: '/collector/linked-partner/request',
  isClaimed: false,
  body: ({ callbackUrl }) =>
    makeLinkedPartnerRequest({ callbackUrl, evidences: [makeEvidence(evidenceBytes)] }),
});

export const spaceFamilies: readonly SpaceFamily[] = [
  linkedPartner(40_000),
  linkedPartner(400_000),
  {
    what: `regular (FR), three images of ${imageBytes / 1_000} kB`,
    path: '/collector/request',
    isClaimed: true,
    body: ({ callbackUrl, email, cellphone }) =>
      makeRegularRequest({
        callbackUrl,
        emailAddress: email,
        cellphoneNumber: cellphone,
        identificationFront: makePng(imageBytes).toString('base64'),
        identificationBack: makePng(imageBytes).toString('base64'),
        identificationSelfie: makeJpeg(imageBytes).toString('base64'),
      }),
  },
  {
    what: 'transactional (FT)',
    path: '/collector/transactional/request',
    isClaimed: false,
    body: ({ callbackUrl }) => makeTransactionalRequest({ callbackUrl }),
  },
  {
    what: 'simplified (FS)',
    path: '/collector/simplified/request',
    isClaimed: true,
    body: ({ email, cellphone }) =>
      makeSimplifiedRequest({ emailAddress: email, cellphoneNumber: cellphone }),
  },
];

/** As the person does: the link in the mail, the code on the phone, a password. */
export async function claimByMail({ mailUrl }: StackInfo, { email, cellphone }: Person): Promise<void> {
  const link = await pollFor(
    async () => {
      const response = await fetch(`${mailUrl}/messages?${new URLSearchParams({ to: email })}`);
      const mails = (await response.json()) as { readonly text: string }[];
      return mails.flatMap(({ text }) => /https?:\/\/\S+\/claim\/[A-Za-z0-9_-]+/.exec(text)?.[0] ?? [])[0];
    },
    { deadlineMs: 300_000, what: `the mail to ${email}` },
  );
  const client = createClaimClient({ link });
  await client.open();
  await client.sendCode();
  const code = await client.readCode(mailUrl, cellphone);
  const { status } = await client.claim({ code, password: 'Condor de los Andes 7' });
  if (status !== 200) throw new Error(`the claim of ${email} was answered by ${status}`);
}
