import { Button } from '../parts/button.tsx';
import { type Theme, usePreferences } from '../texts/preferences.tsx';
import { createBilingual, useTexts } from '../texts/texts.ts';
import styles from './shell.module.css';

const texts = createBilingual({
  en: { other: 'Español', system: 'Theme: system', light: 'Theme: light', dark: 'Theme: dark' },
  es: { other: 'English', system: 'Tema: sistema', light: 'Tema: claro', dark: 'Tema: oscuro' },
});

const nextTheme: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' };
const signs: Readonly<Record<Theme, string>> = { system: '◐', light: '☀', dark: '☾' };

/** Renders the switches for language and theme. */
export function Switches() {
  const t = useTexts(texts);
  const { language, theme, setLanguage, setTheme } = usePreferences();
  const other = language === 'es' ? 'en' : 'es';
  return (
    <div className={styles.switches}>
      <Button small tone="quiet" lang={other} onClick={() => setLanguage(other)}>
        {t.other}
      </Button>
      <Button
        small
        tone="quiet"
        aria-label={t[theme]}
        title={t[theme]}
        onClick={() => setTheme(nextTheme[theme])}
      >
        <span aria-hidden="true">{signs[theme]}</span>
      </Button>
    </div>
  );
}
