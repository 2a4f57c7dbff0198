import type { LogoPicture, LogoType } from '@rubrica/contracts/shared/logo';
import { type StatementTarget, statement } from '@rubrica/database/statement';
import { sha256Hex } from '../../../base/sha256-hex.ts';
import { judgeLogo } from './judge-logo.ts';

interface PartnerParams {
  readonly partnerId: string;
}

export interface LogoDescription {
  readonly type: LogoType;
  readonly sha256: string;
}

const describe = statement<PartnerParams, LogoDescription>({
  name: 'describe-logo',
  sql: 'select type, sha256 from partner_logo where partner_id = :partnerId',
});
const read = statement<PartnerParams, LogoPicture>({
  name: 'read-logo',
  sql: 'select type, base64 from partner_logo where partner_id = :partnerId',
});
const readByLink = statement<{ readonly tokenSha256: string; readonly now: Date }, LogoPicture>({
  name: 'read-logo-by-link',
  sql: `
select type, base64 from partner_logo
where partner_id = (
  select request.partner_id from (
    select request_id from claim_link where token_sha256 = :tokenSha256 and expires_at > :now::timestamptz
    union all
    select request_id from renewal_link where token_sha256 = :tokenSha256
      and (expires_at > :now::timestamptz or renewal_id is not null)
  ) as link join request on request.id = link.request_id
)`,
});
const remove = statement<PartnerParams>({
  name: 'remove-logo',
  sql: 'delete from partner_logo where partner_id = :partnerId',
});
const put = statement<PartnerParams & LogoDescription & LogoPicture>({
  name: 'put-logo',
  sql: `
insert into partner_logo (partner_id, type, sha256, base64) values (:partnerId, :type, :sha256, :base64)
on conflict (partner_id) do update set type = excluded.type, sha256 = excluded.sha256, base64 = excluded.base64`,
});

/** Describes the logo of a partner; null if it has none. */
export async function describeLogo(
  target: StatementTarget,
  partnerId: string,
): Promise<LogoDescription | null> {
  return (await describe.run(target, { partnerId }))[0] ?? null;
}

export async function readLogo(target: StatementTarget, partnerId: string): Promise<LogoPicture | null> {
  return (await read.run(target, { partnerId }))[0] ?? null;
}

/** Reads the logo of the partner of a link, even if the link opens nothing, until the link is deleted. */
export async function readLogoByLink(
  target: StatementTarget,
  link: { readonly tokenSha256: string; readonly now: Date },
): Promise<LogoPicture | null> {
  return (await readByLink.run(target, link))[0] ?? null;
}

/** @throws AppError FIELD_INVALID if the content is no logo */
export function assertLogo(base64: string | null | undefined): void {
  if (typeof base64 === 'string') judgeLogo(Buffer.from(base64, 'base64'));
}

/** Stores a logo, or removes it if null is given. @returns its SHA-256, for the audit log */
export async function changeLogo(
  target: StatementTarget,
  partnerId: string,
  given: string | null,
): Promise<string | null> {
  if (given === null) {
    await remove.run(target, { partnerId });
    return null;
  }
  const bytes = Buffer.from(given, 'base64');
  const sha256 = sha256Hex(bytes);
  await put.run(target, { partnerId, type: judgeLogo(bytes), sha256, base64: given });
  return sha256;
}
