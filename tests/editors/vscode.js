// What a user sees of the extension in VS Code: colours, cycles behind lines, the status, hover, an
// error and its fix.
// usage: vscode.js FOLDER   (tests/editors/vscode.sh starts the server; the pictures go to FOLDER)
const assert = require("assert");
const { chromium } = require("playwright-core");

const folder = process.argv[2];
const quiet = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync"];

const texts = (page, selector) =>
    page.$$eval(selector, (found) =>
        found.map((one) => one.innerText.replace(/\s+/g, " ").trim()).filter(Boolean));

// The texts, once one of them fits.
async function until(page, selector, wanted, seconds = 60) {
    for (let i = 0; i < 2 * seconds; i++) {
        const found = await texts(page, selector);
        if (found.some((text) => wanted.test(text)))
            return found.filter((text) => wanted.test(text));
        await page.waitForTimeout(500);
    }
    assert.fail(`${selector}: no ${wanted} in ${JSON.stringify(await texts(page, selector))}`);
}

function say(what, found) {
    console.log(`${what}: ${found}`);
}

async function open(browser) {
    const page = await browser.newPage({ viewport: { width: 1200, height: 680 } });
    for (let i = 0; ; i++) {
        try {
            await page.goto(`http://127.0.0.1:8099/?folder=${folder}/work`,
                { waitUntil: "domcontentloaded" });
            break;
        } catch (error) {
            if (i === 60)
                throw error;
            await page.waitForTimeout(500);
        }
    }
    const file = '.monaco-list-row[aria-label^="fma.vsm"]';
    await page.waitForSelector(file, { timeout: 90000 });
    await page.dblclick(file);
    return page;
}

async function session(page) {
    say("language", await until(page, ".statusbar-item", /^MN-Core 2 assembly$/));
    say("status", await until(page, ".statusbar-item", /^1,256 cycles \(776 to 2,812\)/));
    const hinted = /^mvp\/n2048i02p3 \$d2048 \$lc0@\.1 ?cycle \d+/;
    say("line", (await until(page, ".view-line", hinted))[0]);
    const colours = await page.$$eval(".view-line", (lines) => new Set(lines
        .filter((line) => line.innerText.startsWith("mvp"))
        .flatMap((line) => [...line.querySelectorAll("span span")])
        .map((one) => one.className.split(" ")[0])).size);
    assert(colours >= 3);
    say("colours of a transfer", colours);
    const line = await page.$('.view-line:has-text("mvp/n2048i01p3")');
    const box = await line.boundingBox();
    await page.mouse.move(box.x + 20, box.y + 8);
    const hover = /manual 3\.5\.8.*issued in cycle 0/;
    say("hover", (await until(page, ".monaco-hover-content", hover))[0].slice(0, 120));
    await page.screenshot({ path: `${folder}/editor.png` });
    await page.mouse.click(box.x + 400, box.y + 8);
    await page.keyboard.press("Control+End");
    await page.keyboard.type("\nfrob $lr0v");
    await page.keyboard.press("Escape");
    say("status", await until(page, ".statusbar-item", /^takt: errors$/));
    await page.waitForSelector(".squiggly-error", { state: "attached", timeout: 30000 });
    await page.keyboard.press("Control+Shift+M");
    const problem = /unknown opcode.*fix: /;
    say("problem", (await until(page, ".markers-panel .monaco-list-row", problem))[0]);
    await page.screenshot({ path: `${folder}/problem.png` });
}

(async () => {
    const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: quiet });
    try {
        await session(await open(browser));
    } finally {
        await browser.close();
    }
    say("pictures", `${folder}/editor.png ${folder}/problem.png`);
})().catch((error) => {
    console.error(error.message || error);
    process.exit(1);
});
