import type { OperatorOutput } from '../../client/trpc.ts';
import { keyTypes, passwordConfigurations, reviewPolicies, scopes } from '../../data/inputs.data.ts';
import { CheckField } from '../../parts/check-field.tsx';
import { ChoiceField, TextField } from '../../parts/field.tsx';
import { useLabels } from '../../texts/labels.ts';
import { useTexts } from '../../texts/texts.ts';
import { LogoField } from './logo.tsx';
import { partnerTexts } from './partner-texts.ts';
import styles from './partners.module.css';
import { QuotaFields } from './quota-fields.tsx';

interface PartnerFieldsProps {
  readonly partner?: OperatorOutput<'partners.get'>;
}

/** The settings of a partner as fields of a form: of one that is there, or of a new one. */
export function PartnerFields({ partner }: PartnerFieldsProps) {
  const t = useTexts(partnerTexts);
  const labelOf = useLabels();
  const choice = (name: 'reviewPolicy' | 'keyType' | 'passwordConfiguration', codes: readonly string[]) => ({
    name,
    choices: codes.map((value) => ({ value, label: labelOf(value).text })),
    defaultValue: partner?.[name],
  });
  return (
    <>
      <TextField label={t.name} name="name" required maxLength={100} defaultValue={partner?.name} />
      <TextField label={t.email} name="email" type="email" required defaultValue={partner?.email} />
      <LogoField partner={partner} />
      <div className={styles.pair}>
        <ChoiceField label={t.review} {...choice('reviewPolicy', reviewPolicies)} />
        <ChoiceField label={t.keyType} {...choice('keyType', keyTypes)} />
      </div>
      <ChoiceField label={t.password} {...choice('passwordConfiguration', passwordConfigurations)} />
      <QuotaFields partner={partner} />
      <Rights partner={partner} />
    </>
  );
}

function Rights({ partner }: { readonly partner: PartnerFieldsProps['partner'] | undefined }) {
  const t = useTexts(partnerTexts);
  const labelOf = useLabels();
  const hasScope = (scope: string) => partner === undefined || partner.scopes.some((one) => one === scope);
  return (
    <>
      <fieldset className={styles.checks}>
        <legend>{t.scopes}</legend>
        {scopes.map((scope) => (
          <CheckField
            key={scope}
            label={labelOf(scope).text}
            name="scopes"
            value={scope}
            defaultChecked={hasScope(scope)}
          />
        ))}
      </fieldset>
      <CheckField
        label={t.legacy}
        hint={t.legacyHint}
        name="legacyPkcs12"
        defaultChecked={partner?.legacyPkcs12}
      />
      <CheckField
        label={t.envelope}
        hint={t.envelopeHint}
        name="envelope"
        defaultChecked={partner?.envelope}
      />
      {partner !== undefined && (
        <>
          <CheckField label={t.enabled} name="enabled" defaultChecked={partner.enabled} />
          <CheckField
            label={t.secretEnabled}
            hint={t.secretEnabledHint}
            name="clientSecretEnabled"
            defaultChecked={partner.clientSecretEnabled}
          />
        </>
      )}
    </>
  );
}
