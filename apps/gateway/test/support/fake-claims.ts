import { createHash, randomBytes } from 'node:crypto';
import type * as claimsContract from '@rubrica/contracts/services/schemas/claims';
import { HOUR_MS } from '@rubrica/contracts/shared/durations';
import type { LogoPicture } from '@rubrica/contracts/shared/logo';
import { AppError } from '@rubrica/process/errors';
import type { Keyring } from '@rubrica/process/keyring';
import type { UseCase } from '@rubrica/wiring';
import type { z } from 'zod';

type View = claimsContract.ClaimView;
type Procedure =
  | 'view'
  | 'sendCode'
  | 'ownData'
  | 'renewLink'
  | 'checkCode'
  | 'report'
  | 'claim'
  | 'openDownload'
  | 'release';

type RightPurpose = 'claim' | 'download';
type Proof = Pick<z.output<typeof claimsContract.openDownloadInput>, 'sealedCode' | 'sealedRight'>;

/** One link, as intake and generation would speak of it, and what was asked of them. */
export interface FakeClaim {
  readonly token: string;
  view: View;
  /** The code in hand. */
  code: string | undefined;
  /** The rights that were given for codes, each beginning with what it is for. */
  readonly rights: Set<string>;
  /** Links that open nothing any more, by their tokens. */
  readonly dead: Map<string, claimsContract.DeadLink>;
  /** Why a renewal's link is dead, or its subscriber has to ask. */
  contactReason: claimsContract.RenewalContact['reason'];
  /** The partner's; whether pages know of it is in the view. */
  logo: LogoPicture | null;
  readonly calls: Procedure[];
  readonly claimed: (Omit<
    z.output<typeof claimsContract.claimInput>,
    'sealedCode' | 'sealedRight' | 'sealedPassword' | 'sealedToken'
  > & {
    /** As it was entered with the password; undefined where it was checked before. */
    readonly code: string | undefined;
    readonly password: string;
  })[];
  /** Thrown by the next calls, first one first. */
  readonly failures: Partial<Record<Procedure, unknown[]>>;
  readonly languages: string[];
  /** One entry for each file that was released. */
  readonly encodings: (string | undefined)[];
}

export const p12 = Buffer.from('not really a PKCS#12');
/** What intake would know of the applicant. */
export const ownData = ['María José', 'Ñúñez', 'Pazmiño', '1710034065', '+593991234567', 'Cacao & Café S.A.'];
export const requestId = '0197a000-0000-7000-8000-000000000222';
function hoursFromNow(hours: number) {
  return new Date(Date.now() + hours * HOUR_MS).toISOString();
}

export function claimView(overrides: Partial<View> = {}): View {
  return {
    requestId,
    state: 'OPEN',
    obstacle: null,
    applicantName: 'MARÍA JOSÉ ÑÚÑEZ <PAZMIÑO>',
    identificationMasked: '••••••4065',
    applicationType: 'LEGAL_REPRESENTATIVE',
    certificateType: 'TRADITIONAL_SIGNATURE',
    period: 'FOUR_YEARS',
    companySocialReason: 'Cacao & Café del Ecuador S.A.',
    partnerName: 'Banco de Pruebas',
    partnerEmail: 'firmas@banco.example',
    hasLogo: false,
    offersLegacyFile: false,
    expiresAt: hoursFromNow(40 * 24),
    codeChannel: 'sms',
    codeSentTo: '+593 •• ••• ••67',
    code: null,
    nextCodeAt: hoursFromNow(-1),
    serialNumber: null,
    notAfter: null,
    downloadUntil: null,
    reported: null,
    ...overrides,
  };
}

export function issued(): Partial<View> {
  return {
    state: 'ISSUED',
    code: null,
    serialNumber: '4AB1C09F27E3D1885C6A',
    notAfter: hoursFromNow(4 * 365 * 24),
    downloadUntil: hoursFromNow(7 * 24),
  };
}

export function createFakeClaim(): FakeClaim {
  return {
    token: randomBytes(32).toString('base64url'),
    view: claimView(),
    code: undefined,
    rights: new Set(),
    dead: new Map(),
    contactReason: 'ASK',
    logo: null,
    calls: [],
    claimed: [],
    failures: {},
    languages: [],
    encodings: [],
  };
}

function begin(claim: FakeClaim, name: Procedure, token: string): void {
  claim.calls.push(name);
  const failure = claim.failures[name]?.shift();
  if (failure !== undefined) throw failure;
  if (token !== claim.token) throw new AppError({ code: 'CLAIM_LINK_INVALID' });
}

type ClaimCalls =
  | 'claims.view'
  | 'claims.deadLink'
  | 'claims.logo'
  | 'claims.renewLink'
  | 'claims.sendCode'
  | 'claims.ownData'
  | 'claims.checkCode'
  | 'claims.report'
  | 'claims.claim'
  | 'claims.openDownload';

/** Intake's answers about a link: enough of its rules to walk through the pages. */
export function claimsCalls(
  claim: FakeClaim,
  keyring: Pick<Keyring, 'openText' | 'sealTo'>,
): { readonly [Name in ClaimCalls]: UseCase<'intake', Name> } {
  const tokenIn = (sealedToken: string) =>
    keyring.openText(sealedToken, { purpose: 'claim-token', owner: 'gateway' });
  const owner = createHash('sha256').update(claim.token).digest('hex');
  const compare = async (sealedCode: string) => {
    const given = await keyring.openText(sealedCode, { purpose: 'entered-code', owner });
    if (claim.code === undefined) throw new AppError({ code: 'OTP_EXPIRED' });
    if (given !== claim.code) {
      const { code } = claim.view;
      claim.view = { ...claim.view, code: code && { ...code, triesLeft: Math.max(1, code.triesLeft - 1) } };
      throw new AppError({ code: 'OTP_INVALID' });
    }
    return given;
  };
  const giveRight = async (purpose: RightPurpose) => {
    const secret = `${purpose}-${randomBytes(8).toString('hex')}`;
    claim.rights.add(secret);
    const sealedRight = await keyring.sealTo('gateway', secret, { purpose: 'new-claim-right', owner });
    return { sealedRight, expiresAt: hoursFromNow(purpose === 'claim' ? 0.25 : 0.5) };
  };
  const hasRight = async (sealedRight: string, purpose: RightPurpose) => {
    const secret = await keyring.openText(sealedRight, { purpose: 'claim-right', owner });
    return claim.rights.has(secret) && secret.startsWith(purpose);
  };
  const unlock = async ({ sealedCode, sealedRight }: Proof, purpose: RightPurpose) => {
    if (sealedRight !== undefined && !(await hasRight(sealedRight, purpose)))
      throw new AppError({ code: 'OTP_EXPIRED' });
    const code = sealedCode && (await compare(sealedCode));
    claim.code = undefined;
    claim.view = { ...claim.view, code: null };
    return code;
  };
  return {
    'claims.view': async ({ sealedToken }) => {
      begin(claim, 'view', await tokenIn(sealedToken));
      return claim.view;
    },
    'claims.sendCode': async ({ sealedToken, language }) => {
      begin(claim, 'sendCode', await tokenIn(sealedToken));
      if (claim.view.state !== 'OPEN' && claim.view.state !== 'ISSUED') {
        throw new AppError({ code: 'REQUEST_STATE_NOT_ALLOWED' });
      }
      if (claim.view.state === 'OPEN' && claim.view.certificateType !== 'TRADITIONAL_SIGNATURE') {
        throw new AppError({ code: 'NO_ACTIVE_TERMS' });
      }
      claim.languages.push(language);
      claim.code = '048213';
      const code = { sentAt: hoursFromNow(0), expiresAt: hoursFromNow(0.08), triesLeft: 5 };
      claim.view = { ...claim.view, code, nextCodeAt: hoursFromNow(0.01) };
      const { codeSentTo: sentTo, codeChannel: channel, nextCodeAt } = claim.view;
      return { sentTo, channel, expiresAt: code.expiresAt, nextCodeAt };
    },
    'claims.deadLink': async ({ sealedToken }) => {
      const token = await tokenIn(sealedToken);
      const dead = claim.dead.get(token);
      if (dead === undefined) throw new AppError({ code: 'CLAIM_LINK_INVALID' });
      return dead;
    },
    'claims.logo': async ({ sealedToken }) => {
      const token = await tokenIn(sealedToken);
      return token === claim.token || claim.dead.has(token) ? claim.logo : null;
    },
    'claims.renewLink': async ({ sealedToken }) => {
      const token = await tokenIn(sealedToken);
      claim.calls.push('renewLink');
      const failure = claim.failures.renewLink?.shift();
      if (failure !== undefined) throw failure;
      const dead = claim.dead.get(token);
      if (dead === undefined) throw new AppError({ code: 'CLAIM_LINK_INVALID' });
      if (dead.renewableAt === null) throw new AppError({ code: 'REQUEST_STATE_NOT_ALLOWED' });
      return {};
    },
    'claims.ownData': async ({ sealedToken, sealedRight }) => {
      begin(claim, 'ownData', await tokenIn(sealedToken));
      if (claim.view.state !== 'OPEN') return null;
      if (sealedRight === undefined) return { values: [] };
      if (!(await hasRight(sealedRight, 'claim'))) throw new AppError({ code: 'OTP_EXPIRED' });
      return { values: [...ownData] };
    },
    'claims.checkCode': async ({ sealedToken, sealedCode }) => {
      begin(claim, 'checkCode', await tokenIn(sealedToken));
      if (claim.view.state !== 'OPEN') throw new AppError({ code: 'REQUEST_STATE_NOT_ALLOWED' });
      await compare(sealedCode);
      return giveRight('claim');
    },
    'claims.claim': async (input) => {
      begin(claim, 'claim', await tokenIn(input.sealedToken));
      const { sealedCode, sealedRight, sealedToken: _, sealedPassword, ...rest } = input;
      if (claim.view.state !== 'OPEN') {
        const isSame = sealedRight !== undefined && (await hasRight(sealedRight, 'claim'));
        return { ...claim.view, retrieval: isSame ? await giveRight('download') : null };
      }
      const hasTerms = claim.view.certificateType === 'TRADITIONAL_SIGNATURE';
      if (!hasTerms) throw new AppError({ code: 'NO_ACTIVE_TERMS' });
      if (rest.termsId === null) throw new AppError({ code: 'TERMS_NOT_ACCEPTED' });
      const code = await unlock({ sealedCode, sealedRight }, 'claim');
      claim.claimed.push({ ...rest, code, password: sealedPassword });
      claim.view = { ...claim.view, state: 'IN_PROGRESS' };
      return { ...claim.view, retrieval: await giveRight('download') };
    },
    'claims.report': async ({ sealedToken, report }) => {
      begin(claim, 'report', await tokenIn(sealedToken));
      const isRepeated = claim.view.reported === report;
      if (claim.view.state !== 'OPEN' && !isRepeated)
        throw new AppError({ code: 'REQUEST_STATE_NOT_ALLOWED' });
      claim.view = { ...claim.view, state: 'ENDED', reported: report };
      return claim.view;
    },
    'claims.openDownload': async ({ sealedToken, ...proof }) => {
      begin(claim, 'openDownload', await tokenIn(sealedToken));
      if (claim.view.state !== 'ISSUED') throw new AppError({ code: 'REQUEST_STATE_NOT_ALLOWED' });
      await unlock(proof, 'download');
      return { requestId, serialNumber: claim.view.serialNumber ?? '', grant: requestId };
    },
  };
}

/** Generation's part, for which the request's id is a grant: the bundle, sealed to the gateway, with the password that must not get any further. */
export function releaseBundle(
  claim: FakeClaim,
  keyring: Pick<Keyring, 'sealTo'>,
): UseCase<'generation', 'bundles.release'> {
  return async ({ grant: released, encoding }) => {
    claim.calls.push('release');
    claim.encodings.push(encoding);
    const failure = claim.failures.release?.shift();
    if (failure !== undefined) throw failure;
    const content = JSON.stringify({ file: p12.toString('base64'), password: 'the secret of the bundle' });
    return {
      requestId: released,
      serialNumber: claim.view.serialNumber ?? '4A',
      notBefore: hoursFromNow(-1),
      notAfter: claim.view.notAfter ?? hoursFromNow(1),
      sealed: await keyring.sealTo('gateway', content, {
        purpose: 'bundle',
        owner: released.toLowerCase(),
      }),
    };
  };
}
