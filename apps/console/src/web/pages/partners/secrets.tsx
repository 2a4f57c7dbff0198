import type { OperatorOutput } from '../../client/trpc.ts';
import { Action } from '../../parts/action.tsx';
import { CheckField } from '../../parts/check-field.tsx';
import { NewSecrets } from '../../parts/new-secrets.tsx';
import { Facts, Section } from '../../parts/page.tsx';
import { useLabels } from '../../texts/labels.ts';
import { useTexts } from '../../texts/texts.ts';
import { partnerTexts } from './partner-texts.ts';
import styles from './partners.module.css';

const kinds = ['client', 'webhook', 'webhook-ed25519'] as const;

/** Lists the secrets by which partner and authority authenticate each other; each can be replaced, none can be read. */
export function Secrets({ partner }: { readonly partner: OperatorOutput<'partners.get'> }) {
  const t = useTexts(partnerTexts);
  return (
    <Section title={t.secrets}>
      <p className={styles.about}>{t.secretsAbout}</p>
      <div className={styles.rows}>
        {kinds.map((kind) => (
          <Rotate key={kind} id={partner.id} kind={kind} />
        ))}
      </div>
      {partner.webhookPublicKeys.length > 0 && (
        <Facts
          rows={partner.webhookPublicKeys.map((key, index) => [
            `${t.publicKeys} ${index + 1}`,
            <code key={key}>{key}</code>,
          ])}
        />
      )}
    </Section>
  );
}

function Rotate({ id, kind }: { readonly id: string; readonly kind: (typeof kinds)[number] }) {
  const t = useTexts(partnerTexts);
  const name = useLabels()(kind).text;
  return (
    <Action
      procedure="partners.rotateSecret"
      label={`${t.rotate}: ${name}`}
      text={t.rotateText}
      small
      toInput={(form) => ({ id, kind, immediately: form.has('immediately') })}
      done={() => t.rotated}
      onDone={(result) => {
        if ('secret' in result) return <NewSecrets values={{ [name]: result.secret }} />;
        if ('publicKey' in result) return <NewSecrets values={{ [name]: result.publicKey }} />;
        return undefined;
      }}
    >
      <CheckField label={t.immediately} hint={t.immediatelyHint} name="immediately" />
    </Action>
  );
}
