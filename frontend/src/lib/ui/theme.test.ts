import { afterEach, describe, expect, it, vi } from 'vitest';

import script from '../../../public/theme.js?raw';
import { showTheme } from './theme';

const { dataset } = document.documentElement;

/** Loads the page anew, as far as the theme goes. */
function load() {
  delete dataset.theme;
  new Function(script)();
  return dataset.theme;
}

afterEach(() => {
  vi.restoreAllMocks();
  showTheme('system');
});

describe('the theme', () => {
  it.each(['light', 'dark'])('%s is there before anything is drawn', (theme) => {
    showTheme(theme);
    expect(dataset.theme).toBe(theme);
    expect(load()).toBe(theme);
  });

  it('is the system’s again once that was chosen', () => {
    showTheme('dark');
    showTheme('system');
    expect([dataset.theme, load()]).toEqual([undefined, undefined]);
    expect(document.cookie).not.toContain('countersign-theme');
  });

  it('is kept where there are no cookies, and where there is no storage', () => {
    showTheme('dark');
    document.cookie = 'countersign-theme=; path=/; max-age=0';
    expect(load()).toBe('dark');
    const refuse = () => {
      throw new DOMException('no storage', 'SecurityError');
    };
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(refuse);
    vi.spyOn(Storage.prototype, 'getItem').mockImplementation(refuse);
    showTheme('light');
    expect(load()).toBe('light');
    document.cookie = 'countersign-theme=; path=/; max-age=0';
    expect(load()).toBeUndefined();
  });

  it('is never a word that somebody else wrote there', () => {
    document.cookie = 'countersign-theme=dark evil; path=/';
    localStorage.setItem('countersign-theme', 'pink');
    document.cookie = 'countersign-theme=red; path=/';
    expect(load()).toBeUndefined();
    document.cookie = 'countersign-theme=; path=/; max-age=0';
    localStorage.clear();
  });
});
