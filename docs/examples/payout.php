<?php
// php payout.php 200            quotes 200 USD in naira
// php payout.php 200 1399.448   pays, if the customer agreed to 1399.448 and it still holds
function refuse(string $reason): never
{
    echo "do not pay: ", preg_replace('/\s+/', " ", $reason), "\n";
    exit(1);
}

function isDecimal(string $text): bool
{
    return preg_match('/^\d+(\.\d+)?$/D', $text) === 1 && $text > 0;
}

[, $amount, $agreed] = $argv + [1 => "", 2 => null];
if (!isDecimal($amount) || !isDecimal($agreed ?? "1")) {
    refuse("usage: php payout.php AMOUNT_IN_USD [AGREED_RATE]");
}
[$maxAge, $tolerance] = [300, 0.5]; // seconds, percent
$query = ["from" => "USD", "to" => "NGN", "amount" => $amount, "basis" => "customer"];
$query += ["max_age" => $maxAge, "min_confidence" => "medium"];
if ($agreed !== null) {
    $query += ["expect" => $agreed, "tolerance" => $tolerance];
}

$url = rtrim(getenv("RATES_URL") ?: "http://localhost:3000", "/");
$key = getenv("RATES_KEY");
$request = curl_init("$url/v1/convert?" . http_build_query($query));
curl_setopt_array($request, [CURLOPT_RETURNTRANSFER => true, CURLOPT_TIMEOUT => 10]);
curl_setopt($request, CURLOPT_HTTPHEADER, $key ? ["x-api-key: $key"] : []);
$text = curl_exec($request);
if ($text === false) {
    $isLate = curl_errno($request) === CURLE_OPERATION_TIMEDOUT;
    refuse($isLate ? "no answer within 10 s" : "no answer: " . curl_error($request));
}

$status = curl_getinfo($request, CURLINFO_RESPONSE_CODE);
$body = json_decode($text, true);
if (json_last_error() !== JSON_ERROR_NONE) {
    refuse("the answer is no JSON (status $status)");
}
if ($status !== 200) {
    $parts = array_filter([$body["code"] ?? null, $body["detail"] ?? null], "is_string");
    refuse(implode(": ", $parts) ?: "status $status");
}

$data = is_array($body["data"] ?? null) ? $body["data"] : [];
$asked = $data["amount"] ?? null;
$rate = $data["rate"] ?? null;
$result = $data["result"] ?? null;
foreach ([$rate, $result, $asked] as $figure) {
    if (!(is_int($figure) || is_float($figure)) || $figure <= 0) {
        refuse("the answer has no rate for an amount");
    }
}
$names = [$data["from"] ?? null, $data["to"] ?? null];
$isOurs = $names === ["USD", "NGN"] && $asked == $amount;
if (!$isOurs || !(abs($result - $rate * $asked) <= $result * 1e-6)) {
    refuse("the answer is for another question");
}
if ($agreed !== null && !(abs($rate - $agreed) <= $agreed * $tolerance / 100)) {
    refuse("the rate has moved");
}
$isSimulated = str_contains(json_encode($body["meta"] ?? null), "(sandbox)");
if ($isSimulated && $agreed !== null) {
    refuse("the rate is simulated");
}
$updated = $body["meta"]["updated"] ?? null;
$time = is_string($updated) ? date_create_from_format(DATE_RFC3339_EXTENDED, $updated) : false;
if (!$isSimulated && ($time === false || abs(time() - $time->getTimestamp()) > $maxAge)) {
    refuse("the time of the rate is not within $maxAge s of now");
}
if ($agreed === null) {
    echo "quote: $rate", $isSimulated ? " (simulated)" : "", "\n";
} else {
    printf("pay: %.2f NGN at %s\n", $result, $rate);
}
