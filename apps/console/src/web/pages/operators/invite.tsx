import type { InputOf } from '../../client/trpc.ts';
import { roles } from '../../data/inputs.data.ts';
import { Action } from '../../parts/action.tsx';
import { ChoiceField, TextField } from '../../parts/field.tsx';
import { useLabels } from '../../texts/labels.ts';
import { usePreferences } from '../../texts/preferences.tsx';
import { useTexts } from '../../texts/texts.ts';
import { operatorTexts } from './operator-texts.ts';

type Input = InputOf<'operators.invite'>;

/** A new account: whoever is invited sets the password by a link that is sent. */
export function Invite() {
  const t = useTexts(operatorTexts);
  const labelOf = useLabels();
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
        choices={roles.map((value) => ({ value, label: labelOf(value).text }))}
      />
      <MailLanguage />
    </Action>
  );
}

/** Of the e-mail that is sent; the operator's own at first. */
export function MailLanguage() {
  const t = useTexts(operatorTexts);
  const { language } = usePreferences();
  const choices = [
    { value: 'es', label: 'Español' },
    { value: 'en', label: 'English' },
  ];
  return <ChoiceField label={t.mailLanguage} name="language" choices={choices} defaultValue={language} />;
}
