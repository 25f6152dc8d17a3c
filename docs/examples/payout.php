<?php
// php payout.php 200            quotes 200 USD in naira
// php payout.php 200 1399.448   pays, if the customer agreed to 1399.448 and it still holds
function refuse(string $reason): never
{
    echo "do not pay: $reason\n";
    exit(1);
}

[, $amount, $agreed] = $argv + [1 => null, 2 => null];
if (!is_numeric($amount) || $amount <= 0) {
    refuse("usage: php payout.php AMOUNT_IN_USD [AGREED_RATE]");
}
$query = ["from" => "USD", "to" => "NGN", "amount" => $amount, "basis" => "customer"];
$query += ["max_age" => 300, "min_confidence" => "medium"];
if ($agreed !== null) {
    $query += ["expect" => $agreed, "tolerance" => "0.5"];
}

$url = getenv("RATES_URL") ?: "http://localhost:3000";
$key = getenv("RATES_KEY");
$request = curl_init("$url/v1/convert?" . http_build_query($query));
curl_setopt_array($request, [CURLOPT_RETURNTRANSFER => true, CURLOPT_TIMEOUT => 10]);
curl_setopt($request, CURLOPT_HTTPHEADER, $key === false ? [] : ["x-api-key: $key"]);
$text = curl_exec($request);
if ($text === false) {
    $isLate = curl_errno($request) === CURLE_OPERATION_TIMEDOUT;
    refuse($isLate ? "no answer within 10 s" : "no answer: " . curl_error($request));
}

$status = curl_getinfo($request, CURLINFO_RESPONSE_CODE);
$body = json_decode($text, true);
if ($body === null) {
    refuse("the answer is no JSON (status $status)");
}
if ($status !== 200) {
    refuse(isset($body["code"]) ? "{$body["code"]}: {$body["detail"]}" : "status $status");
}
["rate" => $rate, "result" => $result] = ($body["data"] ?? []) + ["rate" => 0, "result" => 0];
if (!($rate > 0 && $result > 0)) {
    refuse("the answer has no rate");
}
$isSimulated = str_contains($body["meta"]["source"] ?? "", "(sandbox)");
if ($agreed === null) {
    echo "quote: $rate", $isSimulated ? " (simulated)" : "", "\n";
} elseif ($isSimulated) {
    refuse("the rate is simulated");
} else {
    printf("pay: %.2f NGN at %s\n", $result, $rate);
}
