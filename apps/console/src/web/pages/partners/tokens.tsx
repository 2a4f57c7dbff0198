import type { OperatorOutput } from '../../client/trpc.ts';
import { Action } from '../../parts/action.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { TextField } from '../../parts/field.tsx';
import { Instant } from '../../parts/instant.tsx';
import { NewSecrets } from '../../parts/new-secrets.tsx';
import { Section } from '../../parts/page.tsx';
import { getStartOfDay } from '../../parts/zoned-day.ts';
import { usePreferences } from '../../texts/preferences.tsx';
import { useTexts } from '../../texts/texts.ts';
import { partnerTexts } from './partner-texts.ts';
import styles from './partners.module.css';

type Partner = OperatorOutput<'partners.get'>;

/** Lists the tokens that need no sign-in until they expire. */
export function PartnerTokens({ partner }: { readonly partner: Partner }) {
  const t = useTexts(partnerTexts);
  return (
    <Section title={t.tokens} actions={<IssueToken id={partner.id} />}>
      {partner.tokens.length === 0 ? (
        <p className={styles.about}>{t.noTokens}</p>
      ) : (
        <DataTable
          caption={t.tokens}
          columns={[
            { id: 'name', label: t.name, cell: ({ name }) => name },
            { id: 'created', label: t.created, cell: ({ createdAt }) => <Instant at={createdAt} /> },
            { id: 'expires', label: t.expires, cell: ({ expiresAt }) => <Instant at={expiresAt} dayOnly /> },
            { id: 'revoked', label: t.revoked, cell: (token) => <RevokeToken token={token} /> },
          ]}
          rows={partner.tokens}
          rowId={({ id }) => id}
        />
      )}
    </Section>
  );
}

function IssueToken({ id }: { readonly id: string }) {
  const t = useTexts(partnerTexts);
  const { timeZone } = usePreferences();
  return (
    <Action
      procedure="partners.issueToken"
      label={t.issueToken}
      text={t.issueTokenText}
      small
      toInput={(form) => ({
        id,
        name: String(form.get('name')).trim(),
        expiresAt: getStartOfDay(String(form.get('expiresAt')), timeZone) ?? '',
      })}
      done={() => t.tokenIssued}
      onDone={(result) => ('token' in result ? <NewSecrets values={{ token: result.token }} /> : undefined)}
    >
      <TextField label={t.name} name="name" required maxLength={100} />
      <TextField label={t.expires} name="expiresAt" type="date" required />
    </Action>
  );
}

function RevokeToken({ token }: { readonly token: Partner['tokens'][number] }) {
  const t = useTexts(partnerTexts);
  if (token.revokedAt !== null) return <Instant at={token.revokedAt} />;
  return (
    <Action
      procedure="partners.revokeToken"
      label={t.revokeToken}
      text={t.revokeTokenText}
      tone="danger"
      small
      toInput={() => ({ tokenId: token.id })}
      done={() => t.tokenRevoked}
    />
  );
}
