import type { ProcedureInput } from '../../client/trpc.ts';
import { roles } from '../../data/inputs.data.ts';
import { Action } from '../../parts/action.tsx';
import { ChoiceField, TextField } from '../../parts/field.tsx';
import { useLabels } from '../../texts/labels.ts';
import { usePreferences } from '../../texts/preferences.tsx';
import { useTexts } from '../../texts/texts.ts';
import { operatorTexts } from './operator-texts.ts';

type Input = ProcedureInput<'operators.invite'>;

/** Creates an account: the invited operator sets the password by a link in an e-mail. */
export function Invite() {
  const t = useTexts(operatorTexts);
  const getLabel = useLabels();
  return (
    <Action
      procedure="operators.invite"
      label={t.invite}
      text={t.inviteText}
      tone="primary"
      toInput={(form) => ({
        email: String(form.get('email')).trim(),
        role: form.get('role') as Input['role'],
        language: form.get('language') as 'es',
      })}
      done={() => t.invited}
    >
      <TextField label={t.email} name="email" type="email" required />
      <ChoiceField
        label={t.role}
        name="role"
        choices={roles.map((value) => ({ value, label: getLabel(value).text }))}
      />
      <MailLanguage />
    </Action>
  );
}

/** Selects the language of the e-mail; by default the operator's own. */
export function MailLanguage() {
  const t = useTexts(operatorTexts);
  const { language } = usePreferences();
  const choices = [
    { value: 'es', label: 'Español' },
    { value: 'en', label: 'English' },
  ];
  return <ChoiceField label={t.mailLanguage} name="language" choices={choices} defaultValue={language} />;
}
