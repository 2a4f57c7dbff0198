import { createHash } from 'node:crypto';
import type * as claimsContract from '@rubrica/contracts/services/schemas/claims';
import type { ErrorCode } from '@rubrica/contracts/shared/errors';
import type { LogoPicture } from '@rubrica/contracts/shared/logo';
import type { TermsRecord } from '@rubrica/contracts/shared/terms';
import type { PasswordScreen } from '@rubrica/password-screen/password-screen';
import type { Weakness } from '@rubrica/password-screen/weakness';
import { AppError } from '@rubrica/process/errors';
import type { Keyring } from '@rubrica/process/keyring';
import { uuidv7 } from '@rubrica/process/time';
import type { z } from 'zod';
import type { Peers } from '../peers/peers.ts';
import type { ClaimForm } from './claim-form.ts';
import type { ClaimView, Language, LinkName } from './types.ts';

export interface LinkFlowDeps {
  readonly peers: Pick<Peers, 'intake' | 'generation' | 'terms'>;
  readonly keyring: Pick<Keyring, 'sealTo' | 'openText'>;
  readonly passwords: Pick<PasswordScreen, 'weaknessOf'>;
}

/** Connection of the applicant, which intake stores as evidence of the acceptance. */
export interface ApplicantVisit {
  readonly language: Language;
  readonly remoteAddress: string;
  readonly userAgent: string | null;
}

/** Actions of a link, which intake, generation and terms carry out. Each throws AppError with the contracts' codes. */
export interface LinkFlow {
  view(token: string): Promise<ClaimView>;
  /** Loads the partner's logo; null where there is none, or no such link. */
  logo(token: string): Promise<LogoPicture | null>;
  /**
   * Loads the terms to accept before a claim; undefined where the link has been claimed. Without active terms:
   * NO_ACTIVE_TERMS.
   */
  terms(view: Pick<ClaimView, 'certificateType' | 'state'>): Promise<TermsRecord | undefined>;
  /**
   * Returns why the chosen password is weak; undefined where it is strong, or the link has been claimed. The proof is
   * checked first, because the answer reveals the data that the password was compared with.
   * @throws AppError as a claim with this proof
   */
  screenPassword(token: string, password: string, proof: ClaimProof): Promise<Weakness | undefined>;
  sendCode(token: string, language: Language): Promise<void>;
  /** Exchanges a correct code for a ticket that is valid until the claim. */
  checkCode(token: string, code: string): Promise<LinkTicket>;
  /**
   * Claims the request.
   * @returns ticket for the download; undefined for a repetition that has proven only the link
   */
  claim(token: string, claim: ProvenClaim, visit: ApplicantVisit): Promise<LinkTicket | undefined>;
  /** Downloads the PKCS#12 file, DER, in the issued encoding unless another is requested. */
  download(token: string, proof: ClaimProof, encoding?: FileEncoding): Promise<Buffer>;
}

/** Actions of a claim's link only. */
export interface ClaimFlow {
  /** Reports "this was not me" or "these data are wrong", which invalidates the link. */
  report(token: string, report: claimsContract.ClaimReport): Promise<void>;
  /** Loads what is known of an invalid link; undefined where nothing is, or the link is valid. */
  deadLink(token: string): Promise<claimsContract.DeadLink | undefined>;
  /** Sends a new link to the stored address. */
  renewLink(token: string): Promise<void>;
}

/** Calls to intake by kind of link. */
const callsByLink = {
  claim: {
    view: 'claims.view',
    ownData: 'claims.ownData',
    sendCode: 'claims.sendCode',
    checkCode: 'claims.checkCode',
    openDownload: 'claims.openDownload',
  },
  renew: {
    view: 'renewals.view',
    ownData: 'renewals.ownData',
    sendCode: 'renewals.sendCode',
    checkCode: 'renewals.checkCode',
    openDownload: 'renewals.openDownload',
  },
} as const satisfies Record<LinkName, object>;

/** `legacy`: for older programs, where the partner allows it. */
export type FileEncoding = 'modern' | 'legacy';

/** Entered code, or the ticket that a code was exchanged for. */
export type ClaimProof = { readonly code: string } | { readonly ticket: string };

export interface ProvenClaim extends ClaimForm {
  readonly proof: ClaimProof;
}

/** Ticket: a secret that replaces a code until `expiresAt`, for this link only. */
export interface LinkTicket {
  readonly secret: string;
  readonly expiresAt: Date;
}

/**
 * Seals a token for intake at each call: the agreed key is cached for minutes, so a seal costs a few hundredths of a
 * millisecond.
 */
export async function sealToken(keyring: Pick<Keyring, 'sealTo'>, token: string) {
  return { sealedToken: await keyring.sealTo('intake', token, { purpose: 'claim-token', owner: 'gateway' }) };
}

export function createLinkFlow({ peers, keyring, passwords }: LinkFlowDeps, link: LinkName): LinkFlow {
  const calls = callsByLink[link];
  const seal = (token: string) => sealToken(keyring, token);

  const view: LinkFlow['view'] = async (token) => peers.intake[calls.view](await seal(token));

  const terms: LinkFlow['terms'] = async ({ certificateType, state }) => {
    if (state !== 'OPEN') return undefined;
    return peers.terms['terms.active']({ type: certificateType });
  };

  /**
   * Returns the id of the accepted terms. A client that sends only the four fields accepts the active terms, because
   * the page showed no others.
   */
  const findAcceptedTerms = async (
    seen: Pick<ClaimView, 'certificateType' | 'state'>,
    form: Pick<ClaimForm, 'acceptTerms' | 'termsId'>,
  ): Promise<string | null> => {
    if (!form.acceptTerms) return null;
    if (form.termsId !== undefined) return form.termsId;
    return (await terms(seen))?.id ?? null;
  };

  const hashToken = (token: string) => createHash('sha256').update(token).digest('hex');

  const sealCode = async (token: string, code: string) => ({
    sealedCode: await keyring.sealTo('intake', code, { purpose: 'entered-code', owner: hashToken(token) }),
  });

  const sealProof = async (token: string, proof: ClaimProof) => {
    if ('code' in proof) return sealCode(token, proof.code);
    const binding = { purpose: 'claim-right', owner: hashToken(token) } as const;
    return { sealedRight: await keyring.sealTo('intake', proof.ticket, binding) };
  };

  const openTicket = async (
    token: string,
    { sealedRight: sealedTicket, expiresAt }: z.output<typeof claimsContract.linkTicket>,
  ): Promise<LinkTicket> => ({
    secret: await keyring.openText(sealedTicket, { purpose: 'new-claim-right', owner: hashToken(token) }),
    expiresAt: new Date(expiresAt),
  });

  const checkCode: LinkFlow['checkCode'] = async (token, code) => {
    const input = { ...(await seal(token)), ...(await sealCode(token, code)) };
    return openTicket(token, await peers.intake[calls.checkCode](input));
  };

  /**
   * Exchanges a code for the secret of a ticket. The code stays valid for the claim itself.
   * @returns undefined where the link has been claimed
   */
  const exchangeCode = async (token: string, code: string): Promise<string | undefined> => {
    try {
      return (await checkCode(token, code)).secret;
    } catch (error) {
      if (error instanceof AppError && error.code === 'REQUEST_STATE_NOT_ALLOWED') return undefined;
      throw error;
    }
  };

  return {
    view,
    logo: async (token) => peers.intake['claims.logo'](await seal(token)),
    terms,
    async screenPassword(token, password, proof) {
      // Without terms no claim is possible, and no code was sent.
      if ((await terms(await view(token))) === undefined) return undefined;
      const ticket = 'ticket' in proof ? proof.ticket : await exchangeCode(token, proof.code);
      if (ticket === undefined) return undefined;
      const own = await peers.intake[calls.ownData]({
        ...(await seal(token)),
        ...(await sealProof(token, { ticket })),
      });
      return own === null
        ? undefined
        : passwords.weaknessOf(password, { owner: `link ${hashToken(token)}`, ownData: own.values });
    },
    async sendCode(token, language) {
      await peers.intake[calls.sendCode]({ ...(await seal(token)), language });
    },
    checkCode,
    async claim(token, { proof, ...form }, visit) {
      // Loaded first: the password is sealed for the request's id, which only intake knows. The id of a renewal is
      // created here.
      const { requestId, ...seen } = await view(token);
      const owner = link === 'claim' ? requestId : uuidv7();
      const sealedProof = await sealProof(token, proof);
      const sealedPassword = await keyring.sealTo('generation', form.password, {
        purpose: 'certificate-password',
        owner,
      });
      const termsId = await findAcceptedTerms(seen, form);
      const input = { ...(await seal(token)), ...sealedProof, sealedPassword, termsId, ...visit };
      // Intake gives a repetition the same answer.
      const { retrieval } =
        link === 'claim'
          ? await peers.intake['claims.claim'](input)
          : await peers.intake['renewals.renew']({ ...input, requestId: owner });
      return retrieval === null ? undefined : openTicket(token, retrieval);
    },
    async download(token, proof, encoding) {
      const input = { ...(await seal(token)), ...(await sealProof(token, proof)) };
      const download = await peers.intake[calls.openDownload](input);
      const { requestId, grant } = download;
      const bundle = await peers.generation['bundles.release']({ grant, encoding });
      const content = await keyring.openText(bundle.sealed, { purpose: 'bundle', owner: requestId });
      return extractFile(content);
    },
  };
}

/** Extracts the file of a bundle; the password in it never leaves this function. */
function extractFile(bundle: string): Buffer {
  const { file } = JSON.parse(bundle) as { file?: unknown };
  if (typeof file === 'string') return Buffer.from(file, 'base64');
  throw new AppError({ code: 'INTERNAL_ERROR', cause: new Error('a released bundle holds no file') });
}

const validLinkCodes: ReadonlySet<ErrorCode> = new Set(['CLAIM_LINK_INVALID', 'REQUEST_STATE_NOT_ALLOWED']);

export function createClaimFlow({ peers, keyring }: Pick<LinkFlowDeps, 'peers' | 'keyring'>): ClaimFlow {
  const seal = (token: string) => sealToken(keyring, token);
  return {
    async report(token, report) {
      await peers.intake['claims.report']({ ...(await seal(token)), report });
    },
    async deadLink(token) {
      try {
        return await peers.intake['claims.deadLink'](await seal(token));
      } catch (error) {
        if (error instanceof AppError && validLinkCodes.has(error.code)) return undefined;
        throw error;
      }
    },
    async renewLink(token) {
      await peers.intake['claims.renewLink'](await seal(token));
    },
  };
}
