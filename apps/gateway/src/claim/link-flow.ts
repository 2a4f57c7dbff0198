import type { TermsRecord } from '@rubrica/contracts/shared/terms';
import { AppError, type Keyring } from '@rubrica/process';
import type { Peers } from '../peers/peers.ts';
import type { ClaimForm } from './claim-form.ts';
import type { PasswordScreen } from './screening/password-screen.ts';
import type { Weakness } from './screening/weakness.ts';
import type { ClaimView, Language } from './types.ts';

export interface LinkFlowDeps {
  readonly peers: Pick<Peers, 'intake' | 'generation' | 'terms'>;
  readonly keyring: Pick<Keyring, 'sealTo' | 'openText'>;
  readonly passwords: Pick<PasswordScreen, 'weaknessOf'>;
}

/** How the applicant reached us: intake keeps it as evidence of the acceptance. */
export interface ApplicantVisit {
  readonly language: Language;
  readonly remoteAddress: string;
  readonly userAgent: string | null;
}

export interface Download {
  /** PKCS#12, DER. */
  readonly file: Buffer;
  readonly serialNumber: string;
}

/** What can be done with a link; intake, generation and terms do it. Each throws AppError in the contracts' codes. */
export interface LinkFlow {
  view(tokenSha256: string): Promise<ClaimView>;
  /** The terms to accept before a claim; undefined where the link is past it. Without any: NO_ACTIVE_TERMS. */
  terms(view: Pick<ClaimView, 'certificateType' | 'state'>): Promise<TermsRecord | undefined>;
  /** Why the password that an applicant chose is soon guessed; undefined where it is good, or where the claim is past. */
  weaknessOf(tokenSha256: string, password: string): Promise<Weakness | undefined>;
  sendCode(tokenSha256: string, language: Language): Promise<void>;
  claim(tokenSha256: string, form: ClaimForm, visit: ApplicantVisit): Promise<void>;
  download(tokenSha256: string, code: string): Promise<Download>;
}

export function createLinkFlow({ peers, keyring, passwords }: LinkFlowDeps): LinkFlow {
  const view: LinkFlow['view'] = (tokenSha256) => peers.intake['claims.view']({ tokenSha256 });

  const terms: LinkFlow['terms'] = async ({ certificateType, state }) => {
    if (state !== 'OPEN') return undefined;
    return peers.terms['terms.active']({ type: certificateType });
  };

  /** A client that knows only the form's four fields accepts the active terms: the page showed no others. */
  const acceptedTerms = async (
    seen: Pick<ClaimView, 'certificateType' | 'state'>,
    form: ClaimForm,
  ): Promise<string | null> => {
    if (!form.acceptTerms) return null;
    if (form.termsId !== undefined) return form.termsId;
    return (await terms(seen))?.id ?? null;
  };

  const sealCode = (tokenSha256: string, code: string) =>
    keyring.sealTo('intake', code, { purpose: 'entered-code', owner: tokenSha256 });

  return {
    view,
    terms,
    async weaknessOf(tokenSha256, password) {
      // Whose link it is comes first: what is no link costs no screening.
      const own = await peers.intake['claims.ownData']({ tokenSha256 });
      return own === null ? undefined : passwords.weaknessOf(password, own.values);
    },
    async sendCode(tokenSha256, language) {
      await peers.intake['claims.sendCode']({ tokenSha256, language });
    },
    async claim(tokenSha256, form, visit) {
      const { requestId: owner, ...seen } = await view(tokenSha256);
      const sealedCode = await sealCode(tokenSha256, form.code);
      const sealedPassword = await keyring.sealTo('generation', form.password, {
        purpose: 'certificate-password',
        owner,
      });
      const termsId = await acceptedTerms(seen, form);
      const input = { tokenSha256, sealedCode, sealedPassword, termsId, ...visit };
      // Intake answers a repeat as it answered the first.
      await peers.intake['claims.claim'](input);
    },
    async download(tokenSha256, code) {
      const sealedCode = await sealCode(tokenSha256, code);
      const opened = await peers.intake['claims.openDownload']({ tokenSha256, sealedCode });
      const { requestId } = opened;
      const bundle = await peers.generation['bundles.release']({ requestId });
      const content = await keyring.openText(bundle.sealed, { purpose: 'bundle', owner: requestId });
      return { file: fileOf(content), serialNumber: bundle.serialNumber };
    },
  };
}

/** The bundle holds the password too; only the file leaves this function. */
function fileOf(bundle: string): Buffer {
  const { file } = JSON.parse(bundle) as { file?: unknown };
  if (typeof file === 'string') return Buffer.from(file, 'base64');
  throw new AppError({ code: 'INTERNAL_ERROR', cause: new Error('a released bundle holds no file') });
}
