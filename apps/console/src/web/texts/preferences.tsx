import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react';

export type Language = 'en' | 'es';
export type Theme = 'system' | 'light' | 'dark';

export interface Preferences {
  readonly language: Language;
  readonly theme: Theme;
  /** IANA time zone of all dates; the server's, not the browser's. */
  readonly timeZone: string;
  setLanguage(language: Language): void;
  setTheme(theme: Theme): void;
}

const PreferencesContext = createContext<Preferences | undefined>(undefined);

function readStored<Value extends string>(key: string, allowed: readonly Value[], fallback: Value): Value {
  const found = allowed.find((value) => value === localStorage.getItem(key));
  return found ?? fallback;
}

function browserLanguage(): Language {
  return navigator.language.toLowerCase().startsWith('es') ? 'es' : 'en';
}

/** Provides language and theme, which this browser stores. */
export function PreferencesProvider(props: { readonly timeZone: string; readonly children: ReactNode }) {
  const { timeZone, children } = props;
  const [language, setLanguage] = useState(() =>
    readStored<Language>('language', ['en', 'es'], browserLanguage()),
  );
  const [theme, setTheme] = useState(() => readStored<Theme>('theme', ['system', 'light', 'dark'], 'system'));
  const queries = useQueryClient();
  useEffect(() => {
    const previous = localStorage.getItem('language');
    const isChanged = previous !== null && previous !== language;
    document.documentElement.lang = language;
    localStorage.setItem('language', language);
    // Displayed data was rendered in the other language by the gateway.
    if (isChanged) void queries.invalidateQueries();
  }, [language, queries]);
  useEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    localStorage.setItem('theme', theme);
  }, [theme]);
  const value = useMemo(
    () => ({ language, theme, timeZone, setLanguage, setTheme }),
    [language, theme, timeZone],
  );
  return <PreferencesContext value={value}>{children}</PreferencesContext>;
}

export function usePreferences(): Preferences {
  const preferences = use(PreferencesContext);
  if (preferences === undefined) throw new Error('there are no preferences above this component');
  return preferences;
}
