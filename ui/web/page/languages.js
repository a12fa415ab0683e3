// The languages of the page, each as its speakers call it, and which one a browser's own languages come nearest to.

export const LANGUAGES = { en: "English", pt_PT: "Português (Portugal)", pt_BR: "Português (Brasil)", de: "Deutsch" };

export function nearest(wanted = []) {
  for (const tag of wanted) {
    const [base, region = ""] = tag.toLowerCase().split(/[-_]/);
    if (base === "pt") return region === "br" ? "pt_BR" : "pt_PT";
    if (base in LANGUAGES) return base;
  }
  return "en";
}
