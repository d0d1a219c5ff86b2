// A real VS Code: squiggle, Problems panel, hover, quick fix; a screenshot is kept. Usage: node vscode.mjs URL FILE OUT
import { readFileSync } from "node:fs";
import { chromium } from "playwright-core";

const [url, file, out] = process.argv.slice(2);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync"],
});
const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
page.setDefaultTimeout(60_000);

async function command(text) {
  await page.keyboard.press("F1");
  await page.locator(".quick-input-widget input").fill(`>${text}`);
  await page.locator(".quick-input-list .monaco-list-row").first().waitFor();
  await page.keyboard.press("Enter");
}

try {
  await page.goto(url);
  await page.locator(".monaco-workbench").waitFor();
  await page.locator(".explorer-folders-view").getByText("recipe.yaml").first().dblclick();
  await page.locator(".editor-instance .view-lines").first().waitFor();
  await page.locator(".squiggly-error, .squiggly-warning").first().waitFor();
  console.log("vscode: squiggle");

  await command("Problems: Focus on Problems View");
  await page.locator(".markers-panel").getByText("grep", { exact: false }).first().waitFor();
  console.log("vscode: problems panel");

  const grep = page.locator(".view-line").filter({ hasText: "grep -q PASS" }).first();
  await grep.getByText("grep", { exact: false }).last().hover();
  await page.locator(".monaco-hover-content").filter({ hasText: "agent text" }).filter({ visible: true }).first().waitFor();
  console.log("vscode: hover");
  await page.screenshot({ path: out });
  await page.keyboard.press("Escape");

  // By number, because sticky lines may lie over the one that is meant.
  await page.keyboard.press("Control+g");
  await page.locator(".quick-input-widget input").fill(":16:20");
  await page.keyboard.press("Enter");
  await page.waitForTimeout(500);
  await page.keyboard.press("Control+.");
  await page.locator(".action-widget .monaco-list-row").filter({ hasText: "Add" }).first().waitFor();
  // The menu takes the focus a moment after it is drawn.
  await page.locator(".action-widget .monaco-list:focus, .action-widget .monaco-list-row.focused").first().waitFor();
  await page.waitForTimeout(1000);
  await page.keyboard.press("Enter");
  await page.locator(".view-line").filter({ hasText: "--require-field verdict" }).first().waitFor();
  await page.keyboard.press("Control+s");
  let saved = false;
  for (let tries = 0; tries < 100 && !saved; tries += 1) {
    saved = readFileSync(file, "utf8").includes("extract-json --require-field verdict");
    await page.waitForTimeout(100);
  }
  if (!saved) throw new Error("the quick fix was not saved");
  console.log("vscode: quick fix\nvscode: ok");
} catch (error) {
  await page.screenshot({ path: out.replace(/\.png$/, "-failed.png") });
  throw error;
} finally {
  await browser.close();
}
